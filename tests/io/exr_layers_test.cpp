#include "app/io/formats/exr_layers.h"

#include <ImfChannelList.h>
#include <ImfChromaticitiesAttribute.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfMultiPartOutputFile.h>
#include <ImfOutputPart.h>
#include <ImfPartType.h>
#include <ImfStandardAttributes.h>
#include <ImfStdIO.h>
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <random>

#include "app/io/photograph.h"
#include "tests/io/photographs.h"

namespace satdof::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

// Channels by name: one value for all pixels, or one for each pixel, top row first.
using Planes = std::map<std::string, std::vector<float>>;

struct TestPart {
  Imf::Header header{4, 2};
  Planes planes;
  int sampling = 1;  // of RY and BY
};

std::string partsOf(std::vector<TestPart> parts) {
  std::vector<Imf::Header> headers;
  for (TestPart& part : parts) {
    for (const auto& [name, values] : part.planes) {
      const int sampling = name == "RY" || name == "BY" ? part.sampling : 1;
      part.header.channels().insert(name, Imf::Channel(Imf::FLOAT, sampling, sampling));
    }
    part.header.setType(Imf::SCANLINEIMAGE);
    headers.push_back(part.header);
  }
  Imf::StdOSStream stream;
  {
    Imf::MultiPartOutputFile file(stream, headers.data(), static_cast<int>(headers.size()));
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto& box = parts[i].header.dataWindow();
      const auto width = static_cast<std::size_t>(box.max.x - box.min.x + 1),
                 height = static_cast<std::size_t>(box.max.y - box.min.y + 1);
      Imf::FrameBuffer buffer;
      for (auto& [name, values] : parts[i].planes) {
        const auto sampling = static_cast<std::size_t>(name == "RY" || name == "BY" ? parts[i].sampling : 1);
        const std::size_t columns = width / sampling;
        if (values.size() == 1) values.assign(columns * (height / sampling), values[0]);
        buffer.insert(name, Imf::Slice::Make(Imf::FLOAT, values.data(), box, sizeof(float), columns * sizeof(float),
                                             static_cast<int>(sampling), static_cast<int>(sampling)));
      }
      Imf::OutputPart part(file, static_cast<int>(i));
      part.setFrameBuffer(buffer);
      part.writePixels(static_cast<int>(height));
    }
  }
  return stream.str();
}

std::string exrOf(const Planes& planes) { return partsOf({TestPart{Imf::Header(4, 2), planes}}); }

TestPart named(const char* name, const Planes& planes) {
  TestPart part{Imf::Header(4, 2), planes};
  part.header.setName(name);
  return part;
}

std::array<float, 3> firstColour(const std::string& bytes) {
  const ExrColours colours = coloursInExr(bytes);
  return {colours.rgb[0].at(0), colours.rgb[1].at(0), colours.rgb[2].at(0)};
}

TEST(ExrLayers, ColoursAreOfTheFinishedImage) {
  using Colour = std::array<float, 3>;
  EXPECT_EQ(firstColour(exrOf(
                {{"R", {1}}, {"G", {2}}, {"B", {3}}, {"Diffuse.R", {4}}, {"Diffuse.G", {4}}, {"Diffuse.B", {4}}})),
            (Colour{1, 2, 3}));
  const std::string blender = exrOf({{"ViewLayer.AO.R", {4}},
                                     {"ViewLayer.AO.G", {4}},
                                     {"ViewLayer.AO.B", {4}},
                                     {"ViewLayer.Combined.R", {1}},
                                     {"ViewLayer.Combined.G", {2}},
                                     {"ViewLayer.Combined.B", {3}},
                                     {"ViewLayer.Combined.A", {1}},
                                     {"ViewLayer.Depth.Z", {5}}});
  EXPECT_EQ(firstColour(blender), (Colour{1, 2, 3}));
  EXPECT_THAT(coloursInExr(blender).notes, ElementsAre(HasSubstr("the layer ViewLayer.Combined")));
  EXPECT_EQ(firstColour(exrOf({{"C.r", {1}}, {"C.g", {2}}, {"C.b", {3}}, {"N.x", {0}}, {"N.y", {0}}, {"N.z", {1}}})),
            (Colour{1, 2, 3}));
  EXPECT_EQ(
      firstColour(exrOf(
          {{"depth.R", {9}}, {"depth.G", {9}}, {"depth.B", {9}}, {"hero.R", {1}}, {"hero.G", {2}}, {"hero.B", {3}}})),
      (Colour{1, 2, 3}))
      << "a layer of any name that holds colours";
  EXPECT_EQ(firstColour(partsOf({named("depth", {{"Z", {9}}}), named("rgba", {{"R", {1}}, {"G", {2}}, {"B", {3}}})})),
            (Colour{1, 2, 3}));
  EXPECT_THAT(reasonOf([] {
                coloursInExr(exrOf({{"N.X", {1}}, {"N.Y", {1}}, {"N.Z", {1}}}));
              }),
              HasSubstr("no channels R, G and B, and no Y; its channels: N.X, N.Y, N.Z"));
}

TEST(ExrLayers, DepthIsFoundByItsName) {
  const Planes colours{{"R", {1}}, {"G", {2}}, {"B", {3}}};
  const auto withColours = [&](Planes more) {
    more.insert(colours.begin(), colours.end());
    return depthInExr(exrOf(more));
  };
  for (const char* name : {"Z", "z", "ViewLayer.Depth.Z", "View Layer.Depth.z", "depth.Z", "ViewLayer.Combined.Z"}) {
    const auto depth = withColours({{name, {7}}});
    ASSERT_TRUE(depth) << name;
    EXPECT_EQ(depth->values, std::vector<float>(8, 7.0f)) << name;
    EXPECT_EQ(depth->meaning, DepthMeaning::metres) << name;
    EXPECT_EQ(depth->origin, std::string("the channel ") + name);
  }
  for (const char* name : {"VRayZDepth.R", "Depth.V", "depth.r", "ZDepth", "Pz", "depth.X"}) {
    const auto depth = withColours({{name, {7}}});
    ASSERT_TRUE(depth) << name;
    EXPECT_EQ(depth->values[0], 7.0f) << name;
    EXPECT_EQ(depth->meaning, DepthMeaning::automatic) << name;
    EXPECT_THAT(depth->notes, Contains(HasSubstr(name)));
  }
  EXPECT_EQ(withColours({{"Depth.Z", {7}},
                         {"A.Normal.X", {0}},
                         {"A.Normal.Y", {0}},
                         {"A.Normal.Z", {1}},
                         {"A.Mist.Z", {0}},
                         {"A.Denoising Depth.Z", {9}}})
                ->values[0],
            7.0f);
  EXPECT_FALSE(withColours({{"N.X", {0}}, {"N.Y", {0}}, {"N.Z", {1}}})) << "a vector";
  EXPECT_FALSE(withColours({}));
}

TEST(ExrLayers, MistIsRelativeAndSmallWhereItIsNear) {
  const auto depth = depthInExr(exrOf({{"L.Mist.Z", {0, 0.5f, 1, 1, 0, 0, 0, 0}}, {"R", {1}}, {"G", {1}}, {"B", {1}}}));
  ASSERT_TRUE(depth);
  EXPECT_EQ(depth->meaning, DepthMeaning::relative);
  EXPECT_GT(depth->values[4], depth->values[5]);
  EXPECT_GT(depth->values[5], depth->values[6]);
  EXPECT_THAT(depth->notes, Contains(HasSubstr("mist")));
}

TEST(ExrLayers, PartsAreReadLikeLayers) {
  const std::string bytes = partsOf({named("rgba", {{"R", {1}}, {"G", {2}}, {"B", {3}}}), named("depth", {{"Z", {7}}}),
                                     named("left.N", {{"left.N.X", {0}}, {"left.N.Y", {0}}, {"left.N.Z", {1}}})});
  const Photograph photograph = decodePhotograph(bytes, true);
  ASSERT_TRUE(photograph.depth);
  EXPECT_EQ(photograph.depth->values, std::vector<float>(8, 7.0f));
  EXPECT_EQ(photograph.depth->origin, "the channel depth.Z");
  EXPECT_EQ(decodeDepth(bytes).values, photograph.depth->values);
}

TEST(ExrLayers, ADepthFileMayHoldItsDepthAsGreyOrAlone) {
  for (const Planes& planes :
       {Planes{{"V", {7}}}, {{"Y", {7}}, {"A", {1}}}, {{"R", {7}}, {"G", {7}}, {"B", {7}}, {"A", {1}}}}) {
    const DepthImage depth = decodeDepth(exrOf(planes));
    EXPECT_EQ(depth.values, std::vector<float>(8, 7.0f)) << planes.begin()->first;
    EXPECT_EQ(depth.meaning, DepthMeaning::automatic);
  }
  EXPECT_THAT(reasonOf([] {
                decodeDepth(exrOf({{"R", {1}}, {"G", {7}}, {"B", {7}}}));
              }),
              HasSubstr("no channel Z, and R, G and B are not equal; its channels: B, G, R"));
  EXPECT_THAT(reasonOf([] {
                decodeDepth(exrOf({{"a.Q", {1}}, {"b.Q", {7}}}));
              }),
              HasSubstr("it has no channel Z; its"));
}

TEST(ExrLayers, PixelsStandInTheDisplayWindow) {
  // Two rows and two columns of a frame of 5 x 4: from the column 1 and the row 1 from the top.
  TestPart part{Imf::Header(Imath::Box2i({10, 20}, {14, 23}), Imath::Box2i({11, 21}, {12, 22})),
                {{"R", {1, 2, 3, 4}}, {"G", {5}}, {"B", {5}}, {"Z", {6, 7, 8, 9}}}};
  const std::string bytes = partsOf({part});
  const ExrColours colours = coloursInExr(bytes);
  ASSERT_EQ(colours.size, glm::ivec2(5, 4));
  EXPECT_EQ(exrSize(bytes), colours.size);
  EXPECT_EQ(colours.rgb[0], (std::vector<float>{0, 0, 0, 0, 0, 0, 3, 4, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0}));
  const float inf = std::numeric_limits<float>::infinity();
  const auto depth = depthInExr(bytes);
  ASSERT_TRUE(depth);
  EXPECT_EQ(depth->values, (std::vector<float>{inf, inf, inf, inf, inf, inf, 8,   9,   inf, inf,  //
                                               inf, 6,   7,   inf, inf, inf, inf, inf, inf, inf}));
  EXPECT_THAT(colours.notes, ElementsAre(HasSubstr("2x2 pixels stand in a display window of 5x4")));
  // A larger data window, such as overscan, is cropped.
  part.header = Imf::Header(Imath::Box2i({1, 1}, {1, 1}), Imath::Box2i({0, 0}, {1, 1}));
  part.planes = {{"R", {1, 2, 3, 4}}, {"G", {5}}, {"B", {5}}};
  EXPECT_EQ(coloursInExr(partsOf({part})).rgb[0], (std::vector<float>{4}));
}

TEST(ExrLayers, DisplayWindowsAreBound) {
  TestPart part{Imf::Header(Imath::Box2i({0, 0}, {16000, 16000}), Imath::Box2i({0, 0}, {1, 0})),
                {{"R", {1}}, {"G", {1}}, {"B", {1}}}};
  EXPECT_THAT(reasonOf([&] { coloursInExr(partsOf({part})); }), HasSubstr("its size is 16001x16001"));
  part.header = Imf::Header(Imath::Box2i({-1000000000, 0}, {-999999000, 9}), Imath::Box2i({0, 0}, {1, 0}));
  EXPECT_EQ(coloursInExr(partsOf({part})).size, glm::ivec2(2, 1)) << "ignored";
}

TEST(ExrLayers, ChannelsAreBound) {
  Planes planes;
  for (int i = 0; i < 1025; ++i) planes["layer" + std::to_string(i) + ".X"] = {0.0f};
  EXPECT_THAT([&] { coloursInExr(exrOf(planes)); },
              testing::ThrowsMessage<std::runtime_error>(HasSubstr("more than 1024 channels")));
}

TEST(ExrLayers, PixelsBecomeSquare) {
  TestPart part{Imf::Header(4, 2), {{"R", {0, 1, 2, 3}}, {"G", {5}}, {"B", {5}}, {"Z", {1, 1, 8, 8}}}};
  for (auto& name : {"R", "Z"}) {
    auto& values = part.planes[name];
    const std::vector<float> row = values;
    values.insert(values.end(), row.begin(), row.end());
  }
  part.header.pixelAspectRatio() = 2.0f;
  const std::string wide = partsOf({part});
  const ExrColours colours = coloursInExr(wide);
  ASSERT_EQ(colours.size, glm::ivec2(8, 2));
  EXPECT_EQ(exrSize(wide), colours.size);
  EXPECT_EQ(std::vector(colours.rgb[0].begin(), colours.rgb[0].begin() + 8),
            (std::vector<float>{0, 0.25f, 0.75f, 1.25f, 1.75f, 2.25f, 2.75f, 3}));
  const auto depth = depthInExr(wide);
  EXPECT_EQ(depth->size, colours.size);
  for (const float v : depth->values) EXPECT_TRUE(v == 1.0f || v == 8.0f) << "no depth between two surfaces: " << v;
  part.header.pixelAspectRatio() = 0.5f;
  EXPECT_EQ(coloursInExr(partsOf({part})).size, glm::ivec2(4, 4));
  for (const float ratio : {1.0f, 0.0f, -2.0f, 1e9f, std::nanf("")}) {
    part.header.pixelAspectRatio() = 1.0f;
    std::string bytes = partsOf({part});
    const std::string key("pixelAspectRatio\0float\0\4\0\0\0", 27);
    std::memcpy(&bytes[bytes.find(key) + key.size()], &ratio, sizeof ratio);
    const std::string reason = reasonOf([&] { EXPECT_EQ(coloursInExr(bytes).size, glm::ivec2(4, 2)) << ratio; });
    EXPECT_TRUE(reason == "accepted" || ratio != 1.0f) << reason;
  }
}

TEST(ExrLayers, LuminanceAndChromaAreColours) {
  const float r = 0.8f, g = 0.4f, b = 0.2f, y = 0.2126f * r + 0.7152f * g + 0.0722f * b;
  TestPart part{Imf::Header(8, 4), {{"Y", {y}}, {"RY", {(r - y) / y}}, {"BY", {(b - y) / y}}}, 2};
  const ExrColours colours = coloursInExr(partsOf({part}));
  ASSERT_EQ(colours.rgb[1].size(), 32u);
  for (std::size_t i = 0; i < 32; ++i) {
    EXPECT_NEAR(colours.rgb[0][i], r, 2e-3f);
    EXPECT_NEAR(colours.rgb[1][i], g, 2e-3f);
    EXPECT_NEAR(colours.rgb[2][i], b, 2e-3f);
  }
  EXPECT_THAT(colours.notes, Contains(HasSubstr("chroma")));
}

TEST(ExrLayers, OtherPrimariesAreConverted) {
  // Rec. 2020 holds red of sRGB as 0.6274, 0.0691, 0.0164.
  TestPart part{Imf::Header(4, 2), {{"R", {0.6274f}}, {"G", {0.0691f}}, {"B", {0.0164f}}}};
  Imf::addChromaticities(part.header,
                         Imf::Chromaticities({0.708f, 0.292f}, {0.170f, 0.797f}, {0.131f, 0.046f}, {0.3127f, 0.3290f}));
  const auto red = firstColour(partsOf({part}));
  EXPECT_NEAR(red[0], 1.0f, 2e-3f);
  EXPECT_NEAR(red[1], 0.0f, 2e-3f);
  EXPECT_NEAR(red[2], 0.0f, 2e-3f);
  // White stays white: ACES AP0 has the white D60.
  part = {Imf::Header(4, 2), {{"R", {1}}, {"G", {1}}, {"B", {1}}}};
  Imf::addChromaticities(
      part.header, Imf::Chromaticities({0.7347f, 0.2653f}, {0.0f, 1.0f}, {0.0001f, -0.077f}, {0.32168f, 0.33767f}));
  for (const float v : firstColour(partsOf({part}))) EXPECT_NEAR(v, 1.0f, 2e-3f);
  // X, Y and Z of red of sRGB, with the same white.
  part = {Imf::Header(4, 2), {{"R", {0.4124f}}, {"G", {0.2126f}}, {"B", {0.0193f}}}};
  Imf::addChromaticities(part.header, Imf::Chromaticities({1, 0}, {0, 1}, {0, 0}, {1.0f / 3, 1.0f / 3}));
  const auto fromXyz = coloursInExr(partsOf({part}));
  EXPECT_THAT(fromXyz.notes, ElementsAre(HasSubstr("converted from the primaries")));
  EXPECT_GT(fromXyz.rgb[0].at(0), 0.9f);
  for (const std::size_t c : {1u, 2u}) EXPECT_NEAR(fromXyz.rgb[c].at(0), 0.0f, 0.1f) << "another white";
  part = {Imf::Header(4, 2), {{"R", {1}}, {"G", {2}}, {"B", {3}}}};
  Imf::addChromaticities(part.header, Imf::Chromaticities({0, 0}, {0, 0}, {0, 0}, {0, 0}));
  const std::string useless = partsOf({part});
  EXPECT_EQ(firstColour(useless), (std::array<float, 3>{1, 2, 3}));
  EXPECT_THAT(coloursInExr(useless).notes, ElementsAre(HasSubstr("chromaticities are ignored")));
}

// Many parts, each of which could claim as many chunks as the whole file can hold.
TEST(ExrLayers, TablesOfAllPartsTogetherFitIntoTheFile) {
  std::vector<TestPart> parts;
  for (int i = 0; i < 40; ++i) {
    TestPart part = named(("part" + std::to_string(i)).c_str(), {{"R", {1}}, {"G", {2}}, {"B", {3}}});
    part.header.compression() = Imf::NO_COMPRESSION;
    parts.push_back(part);
  }
  std::string bytes = partsOf(parts);
  ASSERT_EQ(reasonOf([&] { coloursInExr(bytes); }), "accepted");
  // Gives each part as many scanlines as chunks fit into the whole file.
  const std::string key("dataWindow\0box2i\0\x10\0\0\0", 21);
  const auto last = static_cast<std::uint32_t>(bytes.size() / 8 - 2);
  for (std::size_t at = bytes.find(key); at != bytes.npos; at = bytes.find(key, at + 1))
    std::memcpy(&bytes[at + key.size() + 12], &last, sizeof last);
  EXPECT_THAT(reasonOf([&] { coloursInExr(bytes); }), HasSubstr("the tables of its parts exceed it"));
}

// Nothing but std::runtime_error leaves the reader, whatever is cut off or changed.
TEST(ExrLayers, DamagedPartsAreRefusedOrRead) {
  std::mt19937 generator(3);
  const std::string good = partsOf({named("rgba", {{"R", {1}}, {"G", {2}}, {"B", {3}}}), named("depth", {{"Z", {7}}})});
  const auto attempt = [&](const std::string& bytes) {
    return reasonOf([&] { decodePhotograph(bytes, true, {.side = 1000, .pixels = 1 << 18}); });
  };
  EXPECT_EQ(attempt(good), "accepted");
  int refused = 0;
  for (std::size_t length = 0; length < good.size(); length += 3)
    EXPECT_NE(attempt(good.substr(0, length)), "accepted") << length;
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = good;
    for (int k = 0; k < 1 + i % 4; ++k) bytes[generator() % bytes.size()] = static_cast<char>(generator());
    refused += attempt(bytes) != "accepted";
  }
  EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace satdof::test
