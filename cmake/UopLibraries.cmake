# How the project adds libraries and executables.
#
# Each room of lib/ is a static library. All of them together are one shared
# library, libUop, as libMLIR is for MLIR: whatever a process loads (a tool, the
# plugin, the C library, a host), an op has one TypeID and a pass is registered
# once. What is built here is linked with libUop, and what is installed is
# libUop; only a project that adds this one as a subdirectory links the static
# libraries (UOP_BUILD_SHARED=OFF).

# Where an installed program finds libUop, from where it is, and libMLIR.
file(RELATIVE_PATH lib_from_bin /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
set(CMAKE_INSTALL_RPATH $ORIGIN $ORIGIN/${lib_from_bin} ${LLVM_LIBRARY_DIR})

# uop_add_library(NAME SOURCES... [DEPENDS ...] [LINK_LIBS ...])
#   A room: a static library on top of libMLIR, and a part of libUop.
function(uop_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  uop_add_static_library(${name} ${ARG_UNPARSED_ARGUMENTS}
    DEPENDS ${ARG_DEPENDS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
  set_property(GLOBAL APPEND PROPERTY UOP_LIBRARIES ${name})
  add_library(Uop::${name} ALIAS ${name})
endfunction()

# uop_add_internal_library(NAME SOURCES... [LINK_LIBS ...])
#   A static library that several executables share, and libUop does not have.
function(uop_add_internal_library name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  uop_add_static_library(${name} ${ARG_UNPARSED_ARGUMENTS})
  uop_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
endfunction()

# uop_add_tool(NAME SOURCES... [LINK_LIBS ...])
#   An executable that users get.
function(uop_add_tool name)
  uop_add_executable(${name} ${ARGN})
  set_property(GLOBAL APPEND PROPERTY UOP_TOOLS ${name})
endfunction()

# uop_add_executable(NAME SOURCES... [LINK_LIBS ...])
#   An executable in build/bin.
function(uop_add_executable name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_llvm_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  llvm_update_compile_flags(${name})
  target_link_libraries(${name} PRIVATE UopExecutable)
  uop_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
  mlir_target_link_libraries(${name} PRIVATE MLIR)
  target_compile_options(${name} PRIVATE ${UOP_WARNING_FLAGS})
endfunction()

# uop_link_libraries(TARGET PUBLIC|PRIVATE LIBS...)
#   Links with libraries of the project by name: with libUop, where it is built.
function(uop_link_libraries target visibility)
  get_property(rooms GLOBAL PROPERTY UOP_LIBRARIES)
  set(libraries ${ARGN})
  if(UOP_BUILD_SHARED)
    foreach(library ${ARGN})
      if(library IN_LIST rooms)
        list(REMOVE_ITEM libraries ${library})
        list(APPEND libraries Uop)
      endif()
    endforeach()
    list(REMOVE_DUPLICATES libraries)
  endif()
  target_link_libraries(${target} ${visibility} ${libraries})
endfunction()

# uop_add_shared_library(NAME SOURCES... [OUTPUT_NAME ...] [LINK_LIBS ...])
#   A shared library with the version of the project. Before 1.0 a minor version
#   may change the interface, and so the name has it.
function(uop_add_shared_library name)
  cmake_parse_arguments(ARG "" "OUTPUT_NAME" "LINK_LIBS" ${ARGN})
  if(NOT ARG_OUTPUT_NAME)
    set(ARG_OUTPUT_NAME ${name})
  endif()
  llvm_add_library(${name} SHARED ${ARG_UNPARSED_ARGUMENTS}
    OUTPUT_NAME ${ARG_OUTPUT_NAME})
  uop_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
  uop_add_usage_requirements(${name})
  set_target_properties(${name} PROPERTIES
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  target_compile_options(${name} PRIVATE ${UOP_WARNING_FLAGS})
  set_property(GLOBAL APPEND PROPERTY UOP_SHARED_LIBRARIES ${name})
endfunction()

# uop_add_usage_requirements(TARGET)
#   What a user of a library of ours needs, in its own project.
function(uop_add_usage_requirements name)
  target_include_directories(${name} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_include_directories(${name} SYSTEM INTERFACE
    $<BUILD_INTERFACE:${MLIR_INCLUDE_DIRS}>
    $<BUILD_INTERFACE:${LLVM_INCLUDE_DIRS}>)
  target_compile_features(${name} INTERFACE cxx_std_17)
endfunction()

# The common part of the two kinds of static libraries.
function(uop_add_static_library name)
  add_mlir_dialect_library(${name} ${ARGN}
    EXCLUDE_FROM_LIBMLIR DISABLE_INSTALL)
  mlir_target_link_libraries(${name} PUBLIC MLIR)
  uop_add_usage_requirements(${name})
  target_compile_options(${name} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:${UOP_WARNING_FLAGS}>)
endfunction()
