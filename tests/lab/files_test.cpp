#include "app/lab/files.h"

#include <gmock/gmock.h>

#include <sstream>

#include "app/core/usage_error.h"
#include "app/io/formats/png.h"
#include "tests/support/reason.h"

namespace satdof::lab {
namespace {

using testing::HasSubstr;

Spread spread(double us) { return {us, us / 2, us * 2, 7}; }

Results sample() {
  return {{{"gpu", "a \"GPU\""}, {"cpu", "b"}},
          {{"scan",
            "Scans of <integers> & \"more\"",
            "elements",
            "",
            {{"cpu", DeviceKind::processor, false, {{1024, spread(1), spread(1)}, {2048, spread(2), spread(2)}}},
             {"cuda x", DeviceKind::cuda, false, {{1024, spread(0.5), spread(40)}, {2048, spread(0.5), spread(40.5)}}},
             {"cuda y", DeviceKind::cuda, false, {}, "no memory, sorry", "what it does"},
             {"cuda y, stored", DeviceKind::cuda, false, {{1024, spread(0.25), {}}}, "", "", "H100"}}},
           {"table-1",
            "Table I",
            "elements",
            "class report, UT Austin, table I",
            {{"report, GPU", DeviceKind::cuda, true, {{1000, std::nullopt, Spread{326.48, 326.48, 326.48, 0}}}}}}}};
}

TEST(LabFiles, JsonReadsBack) {
  const Results results = sample();
  EXPECT_EQ(decodeJson(encode(FileFormat::json, results), "x.json"), results);
}

TEST(LabFiles, JsonHasFiveDigits) {
  Results results = sample();
  results.experiments[0].curves[0].points[0].kernel->medianUs = 123.456789;
  const std::string text = encode(FileFormat::json, results);
  EXPECT_THAT(text, HasSubstr("{\"name\":\"scan/cpu/1024\",\"kernelUs\":123.46,"));
  EXPECT_THAT(text, HasSubstr("{\"name\":\"table-1/report, GPU/1000\",\"endToEndUs\":326.48}"));
}

TEST(LabFiles, DamagedJsonIsRefusedWithItsName) {
  const std::string good = encode(FileFormat::json, sample());
  for (const std::string& bad :
       {std::string(), std::string("{}"), std::string("[1, 2"), good.substr(0, good.size() / 2),
        std::string(good).replace(good.find("scan/cpu/"), 9, "scan/gpu/"),
        std::string(good).replace(good.find("\"processor\""), 11, "\"abacus\"")})
    EXPECT_THAT(test::reasonOf([&] { decodeJson(bad, "x.json"); }), HasSubstr("cannot read the results x.json")) << bad;
}

// Numbers at which no logarithmic axis can end.
TEST(LabFiles, NumbersThatNoPlotShowsAreRefused) {
  const std::string good = encode(FileFormat::json, sample());
  const auto complaintAbout = [&](const std::string& text, const std::string& replacement) {
    const std::string bad = std::string(good).replace(good.find(text), text.size(), replacement);
    return test::reasonOf([&] { decodeJson(bad, "x.json"); });
  };
  for (const std::string x : {"nan", "inf", "0", "-1", "1e308", "1e-300", "8 and more", ""})
    EXPECT_THAT(complaintAbout("scan/cpu/1024", "scan/cpu/" + x), HasSubstr("must end with a size")) << x;
  for (const std::string us : {"-1", "1e300", "1e-300"})
    EXPECT_THAT(complaintAbout("\"kernelUs\":1.0", "\"kernelUs\":" + us), HasSubstr("kernelUs must be")) << us;
  for (const std::string samples : {"-1", "0.5", "1e300", "\"many\"", "3000000000"})
    EXPECT_THAT(complaintAbout("\"samples\":7", "\"samples\":" + samples), HasSubstr("samples must be")) << samples;
  EXPECT_EQ(complaintAbout("\"kernelUs\":1.0", "\"kernelUs\":0"), "accepted");
}

TEST(LabFiles, CsvHasALineForEachPoint) {
  std::istringstream lines(encode(FileFormat::csv, sample()));
  std::vector<std::string> found;
  for (std::string line; std::getline(lines, line);) found.push_back(line);
  ASSERT_EQ(found.size(), 7u);
  EXPECT_EQ(found[0],
            "experiment,curve,device,published,x,kernelUs,kernelLowUs,kernelHighUs,endToEndUs,endToEndLowUs,"
            "endToEndHighUs,samples");
  EXPECT_EQ(found[1], "scan,cpu,processor,0,1024,1,0.5,2,1,0.5,2,7");
  EXPECT_EQ(found[5], "scan,\"cuda y, stored\",cuda,0,1024,0.25,0.125,0.5,,,,7");
  EXPECT_EQ(found[6], "table-1,\"report, GPU\",cuda,1,1000,,,,326.48,,,0");
}

// Whether every element of the document is closed and no text has a raw < or &.
bool isWellFormed(const std::string& svg) {
  std::vector<std::string> open;
  for (std::size_t at = 0; (at = svg.find_first_of("<&", at)) != svg.npos; ++at) {
    if (svg[at] == '&') {
      const std::string entity = svg.substr(at, svg.find(';', at) - at);
      if (entity != "&lt" && entity != "&gt" && entity != "&amp" && entity != "&quot") return false;
      continue;
    }
    const auto end = svg.find('>', at);
    if (end == svg.npos) return false;
    const std::string tag = svg.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(tag[0] == '/' ? 1 : 0, tag.find(' '));
    if (tag[0] == '/') {
      if (open.empty() || open.back() != name) return false;
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      open.push_back(name);
    }
  }
  return open.empty();
}

TEST(LabFiles, SvgIsWellFormedAndShowsTheCurves) {
  const std::string svg = encode(FileFormat::svg, sample());
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_TRUE(isWellFormed(svg));
  EXPECT_FALSE(isWellFormed("<svg><text>a < b</text></svg>"));
  EXPECT_FALSE(isWellFormed("<svg><text></svg>"));
  EXPECT_THAT(svg, HasSubstr("Scans of &lt;integers&gt; &amp; &quot;more&quot;"));
  EXPECT_THAT(svg, HasSubstr(">cuda x</text>"));
  EXPECT_THAT(svg, HasSubstr("stroke-dasharray")) << "published curves are dashed";
  EXPECT_THAT(svg, testing::Not(HasSubstr(">cuda y</text>"))) << "a curve without points";
  EXPECT_THAT(svg, HasSubstr("cuda y: no memory, sorry. what it does"));
}

TEST(LabFiles, PlotsMarkTheCrossover) {
  // The kernel of "cuda x" is always faster; end to end it is faster from 40 K elements on.
  Results results = sample();
  auto& curves = results.experiments[0].curves;
  curves[0].points.push_back({131072, spread(128), spread(128)});
  curves[1].points.push_back({131072, spread(5), spread(60)});
  EXPECT_THAT(encode(FileFormat::svg, results), HasSubstr(">cuda x, faster from "));
  EXPECT_THAT(encode(FileFormat::svg, results, {.timed = Timed::kernel}), testing::Not(HasSubstr("faster from")));
}

TEST(LabFiles, PngIsAnImage) {
  const std::string png = encode(FileFormat::png, sample());
  EXPECT_TRUE(isPng(png));
  EXPECT_EQ(pngText(png, "Software"), "satdof");
}

TEST(LabFiles, NoTimesGiveAnEmptyPlot) {
  for (const auto format : {FileFormat::json, FileFormat::csv, FileFormat::svg, FileFormat::png})
    EXPECT_FALSE(encode(format, {}).empty());
  EXPECT_TRUE(isWellFormed(encode(FileFormat::svg, {})));
}

TEST(LabFiles, TheExtensionChoosesTheFormat) {
  EXPECT_EQ(fileFormat("a.json"), FileFormat::json);
  EXPECT_EQ(fileFormat("a.b.png"), FileFormat::png);
  EXPECT_THROW(fileFormat("a.pdf"), UsageError);
  EXPECT_THROW(fileFormat("json"), UsageError);
}

TEST(LabFiles, MissingFileIsAUsageError) { EXPECT_THROW(readResults("/nonexistent/x.json"), UsageError); }

}  // namespace
}  // namespace satdof::lab
