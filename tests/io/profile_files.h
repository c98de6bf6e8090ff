#pragma once
#if SATDOF_HAS_LCMS
#include <lcms2.h>

#include <array>
#include <string>

// ICC profiles made for tests.
namespace satdof::test {

inline std::string savedProfile(cmsHPROFILE profile, const char* name) {
  cmsMLU* const text = cmsMLUalloc(nullptr, 1);
  cmsMLUsetASCII(text, "en", "US", name);
  cmsWriteTag(profile, cmsSigProfileDescriptionTag, text);
  cmsMLUfree(text);
  cmsUInt32Number length = 0;
  cmsSaveProfileToMem(profile, nullptr, &length);
  std::string bytes(length, '\0');
  cmsSaveProfileToMem(profile, bytes.data(), &length);
  cmsCloseProfile(profile);
  return bytes;
}

// A CMYK profile: black ink absorbs all light, full cyan gives a grey of L* = 50, magenta and yellow change nothing.
inline std::string inksProfile() {
  const cmsHPROFILE profile = cmsCreateProfilePlaceholder(nullptr);
  cmsSetProfileVersion(profile, 4.3);
  cmsSetDeviceClass(profile, cmsSigOutputClass);
  cmsSetColorSpace(profile, cmsSigCmykData);
  cmsSetPCS(profile, cmsSigLabData);
  cmsPipeline* const pipeline = cmsPipelineAlloc(nullptr, 4, 3);
  cmsStage* const table = cmsStageAllocCLut16bit(nullptr, 2, 4, 3, nullptr);
  cmsStageSampleCLut16bit(
      table,
      [](const cmsUInt16Number* inks, cmsUInt16Number* lab, void*) -> cmsInt32Number {
        const double cyan = inks[0] / 65535.0, black = inks[3] / 65535.0;
        const cmsCIELab value{100.0 * (1.0 - 0.5 * cyan) * (1.0 - black), 0.0, 0.0};
        cmsFloat2LabEncoded(lab, &value);
        return 1;
      },
      nullptr, 0);
  cmsPipelineInsertStage(pipeline, cmsAT_END, cmsStageAllocToneCurves(nullptr, 4, nullptr));
  cmsPipelineInsertStage(pipeline, cmsAT_END, table);
  cmsPipelineInsertStage(pipeline, cmsAT_END, cmsStageAllocToneCurves(nullptr, 3, nullptr));
  cmsWriteTag(profile, cmsSigAToB0Tag, pipeline);
  cmsPipelineFree(pipeline);
  return savedProfile(profile, "grey cyan");
}

}  // namespace satdof::test
#endif
