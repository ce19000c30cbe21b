# How CIF's libraries, tools and plugins are built. Installed with the package,
# so that projects out of tree use the same macros.

# Compile options of everything that is built in this tree.
function(cif_compile_options target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE -fno-exceptions -fno-rtti
                         -fvisibility-inlines-hidden)
  if(NOT CIF_PACKAGE_DIR) # only in tree: warnings are our business, not yours
    target_compile_options(${target} PRIVATE -Wall -Wextra
                           $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>
                           -Wno-missing-field-initializers
                           $<$<BOOL:${CIF_WERROR}>:-Werror>)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      # libstdc++'s stable_sort uses what it has deprecated itself.
      target_compile_options(${target} PRIVATE -Wno-deprecated-declarations)
    elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # False positives of GCC 12 on libstdc++'s own strings (GCC bug 105329).
      target_compile_options(${target} PRIVATE -Wno-restrict
                             -Wno-maybe-uninitialized)
    endif()
    if(CIF_ASSERTIONS)
      target_compile_options(${target} PRIVATE -UNDEBUG)
    endif()
    if(CIF_SANITIZE)
      target_compile_options(${target} PRIVATE -fsanitize=${CIF_SANITIZE}
        -fno-sanitize-recover=all -fno-omit-frame-pointer)
      # UBSan's vptr check needs RTTI.
      if(CIF_SANITIZE MATCHES "undefined")
        target_compile_options(${target} PRIVATE -fno-sanitize=vptr)
        # At every access GCC checks for null and for alignment, which doubles
        # the time to compile. ASan traps null, too; and only Serialization
        # reads bytes of others in place.
        if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
          target_compile_options(${target} PRIVATE -fno-sanitize=null)
          if(NOT target STREQUAL CIFSerialization)
            target_compile_options(${target} PRIVATE -fno-sanitize=alignment)
          endif()
        endif()
      endif()
      target_link_options(${target} PUBLIC -fsanitize=${CIF_SANITIZE})
    endif()
    if(CIF_FUZZERS)
      target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
    if(CIF_COVERAGE)
      target_compile_options(${target} PRIVATE --coverage -O0)
      target_link_options(${target} PUBLIC --coverage)
    endif()
  endif()
endfunction()

# cif_precompile_headers(target [header...]): with CIF_PCH, what nearly all files
# include, the standard library's and LLVM's containers, is read once. None of our
# headers is in it, so that a change in the tree does not rebuild it.
function(cif_precompile_headers target)
  if(NOT CIF_PCH)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE
    ${CMAKE_SOURCE_DIR}/utils/cmake/Precompiled.h ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess) # for ccache
  endif()
endfunction()

# cif_compile_in_batches(target source...): with CIF_UNITY, these sources of the
# target are compiled up to eight at a time, which reads their headers once. They
# need not know: utils/cmake/batches keeps those apart whose names clash.
function(cif_compile_in_batches target)
  if(NOT CIF_UNITY)
    return()
  endif()
  file(GLOB_RECURSE headers ${CMAKE_SOURCE_DIR}/include/*.h)
  foreach(source ${ARGN})
    get_filename_component(folder ${source} DIRECTORY)
    file(GLOB beside ${folder}/*.h)
    list(APPEND headers ${beside})
  endforeach()
  list(REMOVE_DUPLICATES headers)
  set(script ${CMAKE_SOURCE_DIR}/utils/cmake/batches)
  execute_process(COMMAND ${Python3_EXECUTABLE} ${script} ${ARGN} -- ${headers}
    OUTPUT_VARIABLE batches COMMAND_ERROR_IS_FATAL ANY)
  set(number 0)
  foreach(batch ${batches})
    string(REPLACE "|" ";" sources "${batch}")
    set_source_files_properties(${sources} PROPERTIES UNITY_GROUP ${number})
    math(EXPR number "${number} + 1")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON
                                             UNITY_BUILD_MODE GROUP)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${script} ${ARGN} ${headers})
endfunction()

# cif_add_library(Name [LINK lib...]): lib/Name/*.cpp becomes CIFName, alias
# CIF::Name. LINK says which libraries it may use (see docs/architecture.md).
function(cif_add_library name)
  cmake_parse_arguments(ARG "" "" "LINK;SOURCES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS
       ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  add_library(CIF${name} STATIC ${sources} ${ARG_SOURCES})
  add_library(CIF::${name} ALIAS CIF${name})
  set_target_properties(CIF${name} PROPERTIES EXPORT_NAME ${name})
  cif_compile_options(CIF${name})
  cif_compile_in_batches(CIF${name} ${sources})
  if(CIF_PCH AND TARGET CIFSupport AND NOT name STREQUAL Support)
    target_precompile_headers(CIF${name} REUSE_FROM CIFSupport)
  else()
    cif_precompile_headers(CIF${name})
  endif()
  target_include_directories(CIF${name} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_include_directories(CIF${name} PRIVATE
    ${CMAKE_CURRENT_SOURCE_DIR}/${name})
  target_include_directories(CIF${name} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS})
  target_link_libraries(CIF${name} PUBLIC ${ARG_LINK})
  set_property(GLOBAL APPEND PROPERTY CIF_LIBRARIES CIF${name})
  install(TARGETS CIF${name} EXPORT CIFTargets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# cif_get_support(variable): the archive of LLVM's Support, without its own way to
# Z3: that nobody uses, and with it each start of a tool would load the solver.
function(cif_get_support variable)
  set(archive ${CMAKE_BINARY_DIR}/lib/libLLVMSupportWithoutZ3.a)
  get_target_property(original LLVMSupport LOCATION)
  if(${original} IS_NEWER_THAN ${archive})
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
    file(COPY_FILE ${original} ${archive})
    execute_process(COMMAND ${CMAKE_AR} d ${archive} Z3Solver.cpp.o
                    ERROR_QUIET)
  endif()
  set(${variable} ${archive} PARENT_SCOPE)
endfunction()

# Links every CIF library and LLVM's Support as a whole and exports the symbols,
# so that a plugin finds in the host whatever it uses and brings no second copy.
function(cif_link_whole target)
  get_property(libraries GLOBAL PROPERTY CIF_LIBRARIES)
  if(CIF_PACKAGE_DIR)
    set(libraries ${CIF_EXPORTED_LIBRARIES})
  endif()
  target_link_libraries(${target} PRIVATE ${libraries} LLVMSupport)
  # As link options, because CMake's WHOLE_ARCHIVE repeats an archive wherever
  # the dependencies name it again. The plain mention above then adds nothing.
  set(archives)
  foreach(library ${libraries})
    list(APPEND archives $<TARGET_FILE:${library}>)
    add_dependencies(${target} ${library})
  endforeach()
  cif_get_support(support)
  list(APPEND archives ${support})
  target_link_options(${target} PRIVATE LINKER:--as-needed
    LINKER:--whole-archive ${archives} LINKER:--no-whole-archive)
  set_target_properties(${target} PROPERTIES ENABLE_EXPORTS ON
    LINK_DEPENDS "${archives}")
endfunction()

# cif_get_soname(variable library): the name by which a shared library is loaded,
# with its folder where that is none of the linker's own.
function(cif_get_soname variable library)
  execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${library}
                  OUTPUT_VARIABLE headers ERROR_QUIET)
  get_filename_component(folder ${library} DIRECTORY)
  if(headers MATCHES "SONAME +([^\n]+)")
    set(name ${CMAKE_MATCH_1})
  else()
    get_filename_component(name ${library} NAME)
  endif()
  if(NOT folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
    string(PREPEND name ${folder}/)
  endif()
  set(${variable} ${name} PARENT_SCOPE)
endfunction()

# cif_add_tool(name source...): a tool, linked as a whole.
function(cif_add_tool name)
  add_executable(${name} ${ARGN})
  cif_compile_options(${name})
  cif_link_whole(${name})
  if(NOT CIF_PACKAGE_DIR)
    set_property(GLOBAL APPEND PROPERTY CIF_TOOLS ${name})
    install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endfunction()

# cif_add_plugin(name source...): a shared object for --load=. It links nothing:
# its symbols come from the tool that loads it.
function(cif_add_plugin name)
  add_library(${name} MODULE ${ARGN})
  cif_compile_options(${name})
  if(CIF_PACKAGE_DIR)
    target_include_directories(${name} PRIVATE ${CIF_INCLUDE_DIRS})
  else()
    target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/include
                                               ${CMAKE_BINARY_DIR}/include)
    add_dependencies(${name} cif-diagnostics)
  endif()
  target_include_directories(${name} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
  set_target_properties(${name} PROPERTIES PREFIX "")
endfunction()

# Install rules of the package itself.
function(cif_install_package)
  include(CMakePackageConfigHelpers)
  set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME dev)
  get_property(libraries GLOBAL PROPERTY CIF_LIBRARIES)
  string(REGEX REPLACE "CIF([A-Za-z]+)" "CIF::\\1" CIF_EXPORTED_LIBRARIES
         "${libraries}")
  set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/CIF)
  configure_package_config_file(
    ${CMAKE_SOURCE_DIR}/utils/cmake/CIFConfig.cmake.in
    ${CMAKE_BINARY_DIR}/CIFConfig.cmake INSTALL_DESTINATION ${config_dir}
    PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
  write_basic_package_version_file(${CMAKE_BINARY_DIR}/CIFConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
  install(EXPORT CIFTargets NAMESPACE CIF:: DESTINATION ${config_dir})
  install(FILES ${CMAKE_BINARY_DIR}/CIFConfig.cmake
                ${CMAKE_BINARY_DIR}/CIFConfigVersion.cmake
                ${CMAKE_SOURCE_DIR}/utils/cmake/AddCIF.cmake
          DESTINATION ${config_dir})
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/cif
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

  # For projects that do not use CMake. Libraries depend on later ones, too.
  list(TRANSFORM libraries PREPEND "-l")
  list(JOIN libraries " " CIF_LINK_LIBRARIES)
  set(CIF_LINK_SYSTEM "-lxml2 -lz -lzstd -lpthread -ldl")
  file(RELATIVE_PATH CIF_PC_PREFIX
       /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  configure_file(${CMAKE_SOURCE_DIR}/utils/cmake/cif.pc.in
                 ${CMAKE_BINARY_DIR}/cif.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/cif.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

  set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME doc)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs/
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/cif
          PATTERN man EXCLUDE)
  install(FILES ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/NEWS.md
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/cif)
  set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME tools)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/schema
          DESTINATION ${CMAKE_INSTALL_DATADIR}/cif)
  foreach(component tools dev doc python)
    install(FILES ${CMAKE_SOURCE_DIR}/LICENSE RENAME copyright
            DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/cif-${component}
            COMPONENT ${component})
  endforeach()
endfunction()

# `cpack` writes four Debian packages, and an archive with everything.
function(cif_add_packages)
  set(CPACK_GENERATOR DEB TGZ)
  set(CPACK_PACKAGE_NAME cif)
  set(CPACK_PACKAGE_CONTACT "The CIF developers <cif@localhost>")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
  set(CPACK_STRIP_FILES TRUE)
  set(CPACK_COMPONENTS_ALL tools dev doc python)
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION devel)
  # Of the libraries, those that the programs really use.
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_TOOLS_DESCRIPTION "${PROJECT_DESCRIPTION}: the tools")
  set(CPACK_DEBIAN_DEV_DESCRIPTION
      "${PROJECT_DESCRIPTION}: headers and libraries for passes and front ends")
  set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "cif-tools (= ${CIF_VERSION}), \
llvm-19-dev, libxml2-dev, zlib1g-dev, libzstd-dev, libcurl4-openssl-dev, \
libedit-dev")
  if(CIF_HAVE_Z3)
    # libz3.so.4 is in libz3-4. The tools load it when they need it.
    get_filename_component(package ${CIF_Z3_LOADED} NAME)
    string(REPLACE ".so." "-" CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS ${package})
  endif()
  set(CPACK_DEBIAN_DOC_DESCRIPTION "${PROJECT_DESCRIPTION}: documentation")
  set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
  set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
  set(CPACK_DEBIAN_PYTHON_DESCRIPTION
      "${PROJECT_DESCRIPTION}: modules and checks in Python")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "cif-tools, python3, python3-flatbuffers")
  include(CPack)
endfunction()
