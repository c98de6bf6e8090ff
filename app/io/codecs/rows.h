#pragma once
#include "app/io/codec.h"

// The rows of the format table; each is defined in a file of its own.
namespace satdof::formats {

Codec png();
Codec jpeg();
Codec exr();
Codec hdr();
Codec pfm();
Codec pnm();
Codec heif();
Codec webp();
Codec tiff();
Codec bmp();
Codec gif();
Codec psd();
Codec pic();
Codec tga();

}  // namespace satdof::formats
