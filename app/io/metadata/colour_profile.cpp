#include "app/io/metadata/colour_profile.h"

#include <cmath>
#include <cstdint>
#include <initializer_list>

#if SATDOF_HAS_LCMS
#include <lcms2.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "app/io/light.h"
#endif

namespace satdof {

namespace {

const char* assumedWithout(int channels) { return channels == kCmyk ? "plain inks assumed" : "sRGB assumed"; }

}  // namespace

std::string srgbProfile() {
  struct Tag {
    const char* name;
    std::string data;
  };
  const auto number = [](std::uint32_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xff);
    return bytes;
  };
  const auto fixed = [&](double value) {
    return number(static_cast<std::uint32_t>(static_cast<std::int32_t>(std::lround(65536.0 * value))));
  };
  const auto fixedAll = [&](const char* type, std::initializer_list<double> values) {
    std::string bytes = type + std::string(4, '\0');
    for (const double value : values) bytes += fixed(value);
    return bytes;
  };
  const auto text = [&](std::string_view ascii) {
    std::string bytes = "mluc" + std::string(4, '\0') + number(1) + number(12) + "enUS" +
                        number(static_cast<std::uint32_t>(2 * ascii.size())) + number(28);
    for (const char c : ascii) bytes.append(1, '\0').append(1, c);
    return bytes;
  };
  // IEC 61966-2-1, with primaries and white adapted to D50 (Bradford).
  const std::string curve = "para" + std::string(4, '\0') + std::string("\0\3\0\0", 4) + fixed(2.4) + fixed(1 / 1.055) +
                            fixed(0.055 / 1.055) + fixed(1 / 12.92) + fixed(0.04045);
  const std::initializer_list<Tag> tags = {
      {"desc", text("sRGB")},
      {"cprt", text("No copyright")},
      {"wtpt", fixedAll("XYZ ", {0.9642, 1.0, 0.8249})},
      {"chad", fixedAll("sf32", {1.0478112, 0.0228866, -0.0501270, 0.0295424, 0.9904844, -0.0170491, -0.0092345,
                                 0.0150436, 0.7521316})},
      {"rXYZ", fixedAll("XYZ ", {0.43607, 0.22249, 0.01392})},
      {"gXYZ", fixedAll("XYZ ", {0.38515, 0.71687, 0.09708})},
      {"bXYZ", fixedAll("XYZ ", {0.14307, 0.06061, 0.71410})},
      {"rTRC", curve},
      {"gTRC", curve},
      {"bTRC", curve}};
  constexpr std::size_t kHeader = 128, kRow = 12;
  std::string table = number(static_cast<std::uint32_t>(tags.size())), data;
  for (const auto& [name, bytes] : tags) {
    std::size_t at = data.find(bytes);  // the three curves share one copy
    if (at == data.npos) {
      at = data.size();
      data += bytes;
      data.resize((data.size() + 3) / 4 * 4);
    }
    table += name + number(static_cast<std::uint32_t>(kHeader + 4 + tags.size() * kRow + at)) +
             number(static_cast<std::uint32_t>(bytes.size()));
  }
  std::string header = number(static_cast<std::uint32_t>(kHeader + table.size() + data.size())) + std::string(4, '\0') +
                       number(0x04300000) + "mntrRGB XYZ " + std::string("\7\352\0\1\0\1\0\0\0\0\0\0", 12) +
                       "acsp";  // the year 2026
  header.resize(68);
  header += fixed(0.9642) + fixed(1.0) + fixed(0.8249);
  header.resize(kHeader);
  return header + table + data;
}

#if SATDOF_HAS_LCMS

namespace {

struct CloseProfile {
  void operator()(void* profile) const { cmsCloseProfile(profile); }
};
using Profile = std::unique_ptr<void, CloseProfile>;

// Returns an RGB profile with a D65 white. Takes ownership of `curve`.
Profile withD65(const cmsCIExyYTRIPLE& primaries, cmsToneCurve* curve) {
  const cmsCIExyY white{0.3127, 0.3290, 1.0};
  const std::array<cmsToneCurve*, 3> curves{curve, curve, curve};
  Profile profile(cmsCreateRGBProfile(&white, &primaries, curves.data()));
  cmsFreeToneCurve(curve);
  return profile;
}

Profile linearSrgb() {
  return withD65({{0.64, 0.33, 1.0}, {0.30, 0.60, 1.0}, {0.15, 0.06, 1.0}}, cmsBuildGamma(nullptr, 1.0));
}

std::string description(cmsHPROFILE profile) {
  std::array<char, 128> text{};
  cmsGetProfileInfoASCII(profile, cmsInfoDescription, "en", "US", text.data(), text.size());
  for (char& c : text)
    if (c != '\0' && (c < ' ' || c > '~')) c = '?';
  return text.data();
}

// Whether all of 256 colours, greys and saturated ones, differ from sRGB by less than a code of 8 bits. The name of a
// profile does not tell: "sRGB" is also in the names of linear ones.
bool isSrgb(cmsHPROFILE profile, cmsHPROFILE linear) {
  if (cmsGetColorSpace(profile) != cmsSigRgbData) return false;
  const auto transform = [&] {
    return cmsCreateTransform(profile, TYPE_RGB_FLT, linear, TYPE_RGB_FLT, INTENT_RELATIVE_COLORIMETRIC,
                              cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE);
  };
  const std::unique_ptr<void, decltype(&cmsDeleteTransform)> toLight(transform(), cmsDeleteTransform);
  if (!toLight) return false;
  std::vector<float> encoded;
  for (int i = 0; i < 256; ++i) {
    const bool grey = i % 2 == 0;
    for (const int code : {i, grey ? i : 255 - i, grey ? i : i * 7 % 256})
      encoded.push_back(static_cast<float>(code) / 255.0f);
  }
  std::vector<float> light(encoded.size());
  cmsDoTransform(toLight.get(), encoded.data(), light.data(), 256);
  return std::ranges::equal(encoded, light,
                            [](float code, float found) { return std::abs(srgbOf(found) - code) < 1.0f / 255.0f; });
}

}  // namespace

ColourProfile::ColourProfile(std::string_view profile, int channels, int sampleBytes) {
  const char* const assumed = assumedWithout(channels);
  cmsSetLogErrorHandler(nullptr);
  const Profile from(cmsOpenProfileFromMem(profile.data(), static_cast<cmsUInt32Number>(profile.size())));
  if (!from) {
    ignored_ = std::string("its ICC profile is damaged: ") + assumed;
    return;
  }
  name_ = description(from.get());
  struct Space {
    cmsColorSpaceSignature signature;
    cmsUInt32Number pixel, colours;
  };
  const Space space = channels == kCmyk  ? Space{cmsSigCmykData, PT_CMYK, 4}
                      : channels == kLab ? Space{cmsSigLabData, PT_Lab, 3}
                      : channels < 3     ? Space{cmsSigGrayData, PT_GRAY, 1}
                                         : Space{cmsSigRgbData, PT_RGB, 3};
  if (cmsGetColorSpace(from.get()) != space.signature) {
    ignored_ = "its ICC profile \"" + name_ + "\" is for other channels: " + assumed;
    return;
  }
  const Profile to = linearSrgb();
  if (isSrgb(from.get(), to.get())) return;
  const cmsUInt32Number colours = space.colours,
                        extra = channels < 0 ? 0 : static_cast<cmsUInt32Number>(channels) - colours;
  const cmsUInt32Number format = COLORSPACE_SH(space.pixel) | EXTRA_SH(extra) | CHANNELS_SH(colours) |
                                 BYTES_SH(static_cast<cmsUInt32Number>(sampleBytes));
  transform_ =
      cmsCreateTransform(from.get(), format, to.get(), TYPE_RGB_FLT, INTENT_RELATIVE_COLORIMETRIC, cmsFLAGS_NOCACHE);
  if (transform_ == nullptr) ignored_ = "its ICC profile \"" + name_ + "\" has no conversion: " + assumed;
}

ColourProfile::~ColourProfile() {
  if (transform_ != nullptr) cmsDeleteTransform(transform_);
}

void ColourProfile::convert(const void* samples, float* rgb, std::size_t pixels) const {
  cmsDoTransform(transform_, samples, rgb, static_cast<cmsUInt32Number>(pixels));
}

std::string namedProfile(NamedColours colours) {
  const auto [text, profile] = [&]() -> std::pair<const char*, Profile> {
    constexpr std::array<cmsFloat64Number, 5> kSrgb = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
    const auto srgbCurve = [&] { return cmsBuildParametricToneCurve(nullptr, 4, kSrgb.data()); };
    switch (colours) {
      case NamedColours::displayP3:
        return {"Display P3", withD65({{0.680, 0.320, 1.0}, {0.265, 0.690, 1.0}, {0.150, 0.060, 1.0}}, srgbCurve())};
      case NamedColours::bt2020:
        return {"BT.2020", withD65({{0.708, 0.292, 1.0}, {0.170, 0.797, 1.0}, {0.131, 0.046, 1.0}}, srgbCurve())};
      case NamedColours::adobeRgb:
        return {"Adobe RGB (1998)", withD65({{0.64, 0.33, 1.0}, {0.21, 0.71, 1.0}, {0.15, 0.06, 1.0}},
                                            cmsBuildGamma(nullptr, 563.0 / 256.0))};
      case NamedColours::lab:
        break;
    }
    return {"CIE Lab", Profile(cmsCreateLab4Profile(nullptr))};
  }();
  cmsMLU* const name = cmsMLUalloc(nullptr, 1);
  cmsMLUsetASCII(name, "en", "US", text);
  cmsWriteTag(profile.get(), cmsSigProfileDescriptionTag, name);
  cmsMLUfree(name);
  cmsUInt32Number size = 0;
  cmsSaveProfileToMem(profile.get(), nullptr, &size);
  std::string bytes(size, '\0');
  if (cmsSaveProfileToMem(profile.get(), bytes.data(), &size) == 0) bytes.clear();
  return bytes;
}

#else

// Returns a text instead of a profile: not empty, so that ColourProfile reports the missing library.
std::string namedProfile(NamedColours) { return "named"; }

ColourProfile::ColourProfile(std::string_view, int channels, int)
    : ignored_(std::string("its colour profile is ignored: this program was built without Little CMS; ") +
               assumedWithout(channels)) {}
ColourProfile::~ColourProfile() = default;
void ColourProfile::convert(const void*, float*, std::size_t) const {}

#endif

}  // namespace satdof
