#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace satdof {

// In place of a number of channels: cyan, magenta, yellow and black, from 0 for no ink.
inline constexpr int kCmyk = -4;

// The conversion from the colours of an ICC profile to linear light with sRGB primaries, by Little CMS.
class ColourProfile {
 public:
  // `channels`: 1 to 4, as in PngImage, or kCmyk; `sampleBytes`: 1 or 2. A profile that cannot be used leaves the reason in
  // ignored(): sRGB is assumed then, or plain inks.
  ColourProfile(std::string_view profile, int channels, int sampleBytes);
  ~ColourProfile();
  ColourProfile(const ColourProfile&) = delete;
  ColourProfile& operator=(const ColourProfile&) = delete;

  // Whether colours must be converted: false for sRGB itself and if the profile is ignored.
  bool converts() const { return transform_ != nullptr; }
  // Why the profile is ignored; empty if it is not.
  const std::string& ignored() const { return ignored_; }
  const std::string& name() const { return name_; }
  // Writes red, green and blue of `pixels` pixels. Many threads may call at once.
  void convert(const void* samples, float* rgb, std::size_t pixels) const;

 private:
  void* transform_ = nullptr;
  std::string ignored_, name_;
};

// The profile of sRGB, ICC 4.3: the same bytes everywhere.
std::string srgbProfile();

// Colours that files name without a profile, with the tone curve of sRGB.
enum class NamedColours { displayP3, bt2020 };
// Returns their ICC profile.
std::string namedProfile(NamedColours colours);

}  // namespace satdof
