# Replaces the font in the Debian package by a link to that of the package fonts-dejavu-core.
set(fonts ${CPACK_TEMPORARY_DIRECTORY}/usr/share/satdof/fonts)
file(REMOVE ${fonts}/DejaVuSans.ttf)
file(CREATE_LINK ../../fonts/truetype/dejavu/DejaVuSans.ttf ${fonts}/DejaVuSans.ttf SYMBOLIC)
