#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace satdof {

// A value of `channels` for CMYK: four channels, 0 for no ink.
inline constexpr int kCmyk = -4;
// The same for CIE Lab in the encoding of ICC 4: a* and b* of 0 are 128 / 255.
inline constexpr int kLab = -3;

// Converts the colours of an ICC profile to linear light with sRGB primaries, by Little CMS.
class ColourProfile {
 public:
  // `channels`: 1 to 4 as in PngImage, kCmyk or kLab; `sampleBytes`: 1 or 2. For an unusable profile, ignored() tells
  // the reason and which colours are assumed.
  ColourProfile(std::string_view profile, int channels, int sampleBytes);
  ~ColourProfile();
  ColourProfile(const ColourProfile&) = delete;
  ColourProfile& operator=(const ColourProfile&) = delete;

  // Whether convert() must be used: false for sRGB, under any name, and for an ignored profile.
  bool converts() const { return transform_ != nullptr; }
  // Why the profile is ignored; empty if it is used.
  const std::string& ignored() const { return ignored_; }
  const std::string& name() const { return name_; }
  // Writes `pixels` RGB triples. Thread-safe.
  void convert(const void* samples, float* rgb, std::size_t pixels) const;

 private:
  void* transform_ = nullptr;
  std::string ignored_, name_;
};

// Returns the ICC 4.3 profile of sRGB, byte for byte the same on every machine.
std::string srgbProfile();

// Colour spaces that files refer to by number. Display P3 and BT.2020 have the tone curve of sRGB.
enum class NamedColours { displayP3, bt2020, adobeRgb, lab };
// Returns the ICC profile of a colour space.
std::string namedProfile(NamedColours colours);

}  // namespace satdof
