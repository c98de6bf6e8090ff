# Adds to the tarball the libraries that a bare desktop lacks. What every desktop has stays the desktop's: the C and C++
# libraries, OpenGL, X11 and Wayland, which must fit its kernel, its driver and its display.
set(folder ${CPACK_TEMPORARY_DIRECTORY})
file(
  GET_RUNTIME_DEPENDENCIES
  EXECUTABLES ${folder}/bin/satdof
  RESOLVED_DEPENDENCIES_VAR libraries
  UNRESOLVED_DEPENDENCIES_VAR missing
  PRE_EXCLUDE_REGEXES
    "^ld-linux"
    "^lib(c|m|dl|rt|pthread|gcc_s|stdc\\+\\+|z)\\.so"
    "^lib(GL|EGL|GLX|OpenGL|GLdispatch|GLU|drm|gbm)\\.so"
    "^lib(X|xcb|wayland|xkbcommon)"
    "^lib(fontconfig|freetype|expat|bsd|md|glib-2\\.0|dbus-1)"
    "^libcuda\\.so"
)
if(missing)
  message(FATAL_ERROR "satdof needs libraries that are not on this system: ${missing}")
endif()
foreach(library IN LISTS libraries)
  file(INSTALL ${library} DESTINATION ${folder}/lib/satdof FOLLOW_SYMLINK_CHAIN)
endforeach()
