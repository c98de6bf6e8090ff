# Replaces the fonts in the Debian package by links to those of the package fonts-dejavu-core.
set(fonts ${CPACK_TEMPORARY_DIRECTORY}/usr/share/satdof/fonts)
foreach(font DejaVuSans DejaVuSans-Bold)
  file(REMOVE ${fonts}/${font}.ttf)
  file(CREATE_LINK ../../fonts/truetype/dejavu/${font}.ttf ${fonts}/${font}.ttf SYMBOLIC)
endforeach()
