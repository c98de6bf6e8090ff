# cmake -DSOURCE=... -DHEADER=... -DVERSION=... -P commit.cmake: writes a header with the version and the commit of
# the sources, only if either has changed.
cmake_minimum_required(VERSION 3.25)
execute_process(
  COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=7 --exclude=*
  OUTPUT_VARIABLE commit
  OUTPUT_STRIP_TRAILING_WHITESPACE
  ERROR_QUIET
  RESULT_VARIABLE failed
)
if(NOT failed EQUAL 0)
  set(commit unknown)
endif()
file(
  CONFIGURE
  OUTPUT ${HEADER}
  CONTENT
    "#pragma once
#define SATDOF_VERSION \"@VERSION@\"
#define SATDOF_COMMIT \"@commit@\"
"
  @ONLY
)
