# What is installed, and how another project finds it: find_package(Uop) in the
# build tree and in any prefix, and the Debian packages (cpack -G DEB).
#
# Two components: `runtime` has the tools, the shared libraries and the plugin;
# `development` has the headers and the package files.

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/uop)
get_property(tools GLOBAL PROPERTY UOP_TOOLS)
get_property(shared_libraries GLOBAL PROPERTY UOP_SHARED_LIBRARIES)

# The rooms that others may name, Uop::UopTransforms and so on: targets that
# stand for libUop.
foreach(room UopDialect UopAnalysis UopInterpreter UopTransforms
        UopTransformOps UopReduce UopConversion UopTarget UopEmulator UopReport UopInitAll)
  add_library(${room}InLibUop INTERFACE)
  target_link_libraries(${room}InLibUop INTERFACE Uop)
  set_target_properties(${room}InLibUop PROPERTIES EXPORT_NAME ${room})
  list(APPEND stand_ins ${room}InLibUop)
endforeach()

install(TARGETS ${shared_libraries} ${stand_ins} ${tools}
  EXPORT UopTargets
  RUNTIME COMPONENT runtime
  LIBRARY COMPONENT runtime NAMELINK_COMPONENT development)
install(DIRECTORY include/Uop include/Uop-c ${PROJECT_BINARY_DIR}/include/Uop
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.inc"
  PATTERN CMakeFiles EXCLUDE)
install(FILES LICENSE README.md CHANGELOG.md TYPE DOC COMPONENT runtime)
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
  COMPONENT development)

# The two package files differ in nothing but where they lie: all paths in them
# are found from there.
set(build_package_dir ${PROJECT_BINARY_DIR}/lib/cmake/uop)
set(installed_files ${PROJECT_BINARY_DIR}/cmake/installed)
write_basic_package_version_file(${build_package_dir}/UopConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
set(UOP_CONFIG_INCLUDE_DIRS "${PROJECT_SOURCE_DIR}/include"
                            "${PROJECT_BINARY_DIR}/include")
set(UOP_CONFIG_TOOLS_DIR "${LLVM_RUNTIME_OUTPUT_INTDIR}")
configure_package_config_file(cmake/UopConfig.cmake.in
  ${build_package_dir}/UopConfig.cmake
  INSTALL_DESTINATION lib/cmake/uop INSTALL_PREFIX ${PROJECT_BINARY_DIR}
  PATH_VARS UOP_CONFIG_INCLUDE_DIRS UOP_CONFIG_TOOLS_DIR)
export(EXPORT UopTargets NAMESPACE Uop::
  FILE ${build_package_dir}/UopTargets.cmake)

set(UOP_CONFIG_INCLUDE_DIRS ${CMAKE_INSTALL_INCLUDEDIR})
set(UOP_CONFIG_TOOLS_DIR ${CMAKE_INSTALL_BINDIR})
configure_package_config_file(cmake/UopConfig.cmake.in
  ${installed_files}/UopConfig.cmake
  INSTALL_DESTINATION ${package_dir}
  PATH_VARS UOP_CONFIG_INCLUDE_DIRS UOP_CONFIG_TOOLS_DIR)
install(FILES ${installed_files}/UopConfig.cmake
  ${build_package_dir}/UopConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT development)
install(EXPORT UopTargets NAMESPACE Uop:: DESTINATION ${package_dir}
  COMPONENT development)

# Debian packages: uop, and uop-dev for what is written against it.
set(CPACK_PACKAGE_VENDOR "Uop")
set(CPACK_PACKAGE_CONTACT "The Uop developers <uop@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL runtime development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME uop)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME uop-dev)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "uop (= ${PROJECT_VERSION}), libmlir-22-dev, llvm-22-dev, mlir-22-tools")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "libomp5-22 | libomp5-14")
include(CPack)
