# Compiler options that every target of the project shares.

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
  # The run time is in the executable: a shared library does not define it.
  string(REPLACE "-Wl,-z,defs" "" CMAKE_SHARED_LINKER_FLAGS
         "${CMAKE_SHARED_LINKER_FLAGS}")
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
