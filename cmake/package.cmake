# Installation, and packages by cpack: a .deb, and a tarball that runs from any folder. The data folder share/satdof has
# the same layout beside a build and beside an installed program.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(packaging ${PROJECT_SOURCE_DIR}/packaging)
set(made ${PROJECT_BINARY_DIR}/packaging)
file(MAKE_DIRECTORY ${made})
set(icons "")
foreach(size 64 256)
  set(icon ${made}/satdof-${size}.png)
  add_custom_command(
    OUTPUT ${icon}
    COMMAND ${Python3_EXECUTABLE} ${packaging}/icon.py ${icon} ${size}
    DEPENDS ${packaging}/icon.py
    COMMENT "Drawing the icon of ${size} pixels"
    VERBATIM
  )
  list(APPEND icons ${icon})
  install(
    FILES ${icon}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/${size}x${size}/apps
    RENAME satdof.png
  )
endforeach()
set(man_page ${made}/satdof.1.gz)
add_custom_command(
  OUTPUT ${man_page}
  COMMAND ${Python3_EXECUTABLE} ${packaging}/man_page.py $<TARGET_FILE:satdof> ${man_page}
  DEPENDS satdof ${packaging}/man_page.py
  COMMENT "Writing the man page"
  VERBATIM
)
set(maintainer "satdof contributors <satdof@packages.example.org>")
set(debian_changelog ${made}/changelog.gz)
add_custom_command(
  OUTPUT ${debian_changelog}
  COMMAND
    ${Python3_EXECUTABLE} ${packaging}/debian_changelog.py ${PROJECT_SOURCE_DIR}/CHANGELOG.md
    ${debian_changelog} ${maintainer}
  DEPENDS ${packaging}/debian_changelog.py ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  COMMENT "Writing the changelog of the Debian package"
  VERBATIM
)
add_custom_target(satdof_desktop ALL DEPENDS ${icons} ${man_page} ${debian_changelog})

install(TARGETS satdof)
install(DIRECTORY shaders assets DESTINATION ${CMAKE_INSTALL_DATADIR}/satdof)
# The lines of kernels that the window plays in slow motion.
install(
  DIRECTORY cuda
  DESTINATION ${CMAKE_INSTALL_DATADIR}/satdof
  FILES_MATCHING
  PATTERN "*.cu"
  PATTERN "*.cuh"
  PATTERN "emulator" EXCLUDE
)
install(DIRECTORY ${data_dir}/fonts DESTINATION ${CMAKE_INSTALL_DATADIR}/satdof)
install(FILES ${man_page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${packaging}/satdof.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES ${packaging}/org.satdof.satdof.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
install(
  FILES
    LICENSE
    THIRD_PARTY.md
    CHANGELOG.md
    third_party/Apache-2.0.txt
    ${packaging}/copyright
    ${debian_changelog}
  DESTINATION ${CMAKE_INSTALL_DOCDIR}
)

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_VENDOR satdof)
set(CPACK_PACKAGE_CONTACT ${maintainer})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(
  CPACK_PACKAGE_DESCRIPTION
  "satdof shows a scene, a photograph with depth or a model with the depth of
field of a lens, live, and writes images, sequences and videos. The blur of
every pixel costs a few look-ups in a summed-area table, whatever its width.
Scans, tables and lenses can be swapped and timed."
)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_PROJECT_CONFIG_FILE ${packaging}/generator.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Loaded at run time, so shlibdeps does not see them: a driver of OpenGL, and the font, see debian.cmake.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libgl1-mesa-dri | libgl-driver, fonts-dejavu-core")
include(CPack)

# The library: cpack --config CPackLibrary.cmake
install(
  FILES ${packaging}/copyright ${debian_changelog}
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libsatdof-dev
  COMPONENT library-documents
  EXCLUDE_FROM_ALL
)
configure_file(${packaging}/library.cmake.in ${PROJECT_BINARY_DIR}/CPackLibrary.cmake @ONLY)
