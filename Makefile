# The commands of the README. The build itself is CMake's; see CMakePresets.json.
#
#   make demo     install what is missing, build, run the digits network
#   make check    the same set-up, then all tests
#
# Variables: MLIR_DIR= another LLVM 22 (the folder with MLIRConfig.cmake),
# CUDA_HOME= another CUDA toolkit, JOBS= compilers at once, SETUP=no to install
# nothing, CI=true for warnings as errors.

.DEFAULT_GOAL := help
.PHONY: help setup build demo check bench bench-gpu asan check-asan format clean

export MLIR_DIR CUDA_HOME JOBS SETUP CI
PYTHON ?= /usr/bin/python3
export PYTHON

# Recipes ask for the toolkit after the set-up has put one in place.
WITH_CUDA = CUDA_HOME=$$(scripts/cuda-home.sh)
RUN_TESTS = $(PYTHON) scripts/run-tests.py $(if $(COUNTS),--counts $(COUNTS))
SOURCES = $$(git ls-files '*.cpp' '*.h')

help:
	@echo 'make demo        install what is missing, build, run the digits network'
	@echo 'make check       install what is missing, build, run all tests'
	@echo 'make build       install what is missing, build'
	@echo 'make bench       install what is missing, build and run the benchmarks'
	@echo 'make bench-gpu   the same for what runs on a GPU; kernels go to build/gpu-bench'
	@echo 'make check-asan  the tests with AddressSanitizer and UndefinedBehaviorSanitizer'
	@echo 'make asan        only the build for them'
	@echo 'make format      clang-format on all C++ sources'
	@echo 'make clean       remove the build folders, not the CUDA toolkit'
	@echo
	@echo 'Variables: MLIR_DIR= CUDA_HOME= JOBS= SETUP=no CI=true (see Makefile)'

setup:
	@scripts/setup.sh

build: setup
	@scripts/build.sh release

demo: setup
	@scripts/build.sh release uop-opt uop-translate uop-run uop-report
	@$(WITH_CUDA) $(PYTHON) examples/digits/demo.py --build-dir build/release

check: build
	@$(WITH_CUDA) $(RUN_TESTS) build/release

bench:
	@scripts/setup.sh --benchmarks
	@scripts/build.sh bench uop-opt uop-translate uop-bench-startup \
	  uop-bench-compile uop-bench-emulator uop-bench-loops uop-bench-simplify \
	  uop-bench-mapping uop-bench-report
	@$(WITH_CUDA) scripts/build.sh bench run-benchmarks

bench-gpu: setup
	@scripts/build.sh release uop-translate
	@$(PYTHON) benchmarks/gpu/make_kernels.py
	@$(PYTHON) build/gpu-bench/sgemm.py

asan:
	@scripts/setup.sh --asan
	@scripts/build.sh asan

check-asan: asan
	@$(WITH_CUDA) UBSAN_OPTIONS=print_stacktrace=1 UOP_DIFFERENTIAL_KERNELS=200 \
	  UOP_SIMT_PROGRAMS=30 \
	  $(RUN_TESTS) build/asan

format:
	@clang-format-22 -i $(SOURCES)

clean:
	rm -rf build/release build/debug build/asan build/gcc build/bench
