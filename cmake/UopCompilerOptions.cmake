# Compiler options that every target of the project shares, and the two
# functions through which the project adds libraries and tools.

if(UOP_ENABLE_CCACHE)
  find_program(UOP_CCACHE ccache)
  if(UOP_CCACHE)
    set(CMAKE_C_COMPILER_LAUNCHER ${UOP_CCACHE})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${UOP_CCACHE})
  endif()
endif()

if(UOP_SANITIZERS)
  add_compile_options(-fsanitize=${UOP_SANITIZERS} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all -g)
  add_link_options(-fsanitize=${UOP_SANITIZERS})
endif()

# What every executable of the project is linked with.
add_library(UopExecutable INTERFACE)
if(UOP_SANITIZERS MATCHES "address")
  target_sources(UopExecutable
    INTERFACE ${CMAKE_CURRENT_LIST_DIR}/SanitizerDefaults.cpp)
endif()

# Only for our own sources: the flags go to the targets added by
# uop_add_library, uop_add_tool and uop_add_unittest.
set(UOP_WARNING_FLAGS -Wall -Wextra -Wno-unused-parameter)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 does not see that an empty std::optional is not read.
  list(APPEND UOP_WARNING_FLAGS -Wno-maybe-uninitialized)
endif()
if(UOP_WARNINGS_AS_ERRORS)
  list(APPEND UOP_WARNING_FLAGS -Werror)
endif()

# uop_add_library(NAME SOURCES... [DEPENDS ...] [LINK_LIBS ...])
#   A static library of the project on top of libMLIR.
function(uop_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_mlir_dialect_library(${name} ${ARG_UNPARSED_ARGUMENTS}
    EXCLUDE_FROM_LIBMLIR DISABLE_INSTALL
    DEPENDS ${ARG_DEPENDS}
    LINK_LIBS PUBLIC ${ARG_LINK_LIBS})
  mlir_target_link_libraries(${name} PUBLIC MLIR)
  foreach(target ${name} obj.${name})
    if(TARGET ${target})
      target_compile_options(${target} PRIVATE
        $<$<COMPILE_LANGUAGE:CXX>:${UOP_WARNING_FLAGS}>)
    endif()
  endforeach()
endfunction()

# uop_add_tool(NAME SOURCES... [LINK_LIBS ...])
#   An executable in build/bin.
function(uop_add_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_llvm_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  llvm_update_compile_flags(${name})
  target_link_libraries(${name} PRIVATE UopExecutable ${ARG_LINK_LIBS})
  mlir_target_link_libraries(${name} PRIVATE MLIR)
  target_compile_options(${name} PRIVATE ${UOP_WARNING_FLAGS})
endfunction()
