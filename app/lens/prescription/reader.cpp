#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "app/core/field_json.h"
#include "app/core/text/foreign_text.h"
#include "app/core/text/letters.h"
#include "app/core/text/number.h"
#include "app/core/usage_error.h"
#include "app/lens/prescription/prescription.h"

namespace satdof {

namespace {

constexpr std::size_t kMaxSurfaces = 100;
constexpr double kMaxMm = 1e4, kMinMm = 1e-3;

// A column: the member that it sets, and the range of its numbers. `mayLack`: 0 and - stand for the default of
// LensSurface.
struct ColumnRow {
  std::string_view name;
  double LensSurface::*value;
  double least, most;
  bool mayLack;
};
// The code reads the rows radius (0), thickness (1) and diameter (4) by their index.
constexpr std::array kColumns = {ColumnRow{"radius", &LensSurface::curvature, -1e9, 1e9, true},
                                 ColumnRow{"thickness", &LensSurface::thickness, 0, kMaxMm, true},
                                 ColumnRow{"index", &LensSurface::index, 1, 5, true},
                                 ColumnRow{"abbe", &LensSurface::abbe, 5, 200, true},
                                 ColumnRow{"diameter", &LensSurface::semi, kMinMm, kMaxMm, false},
                                 ColumnRow{"semi-diameter", &LensSurface::semi, kMinMm, kMaxMm, false},
                                 ColumnRow{"conic", &LensSurface::conic, -1e4, 1e4, true}};
constexpr std::array kPlainColumns = {"radius thickness index diameter", "radius thickness index abbe diameter",
                                      "radius thickness index abbe diameter conic"};

std::vector<std::string_view> wordsOf(std::string_view line) {
  std::vector<std::string_view> words;
  while (!(line = trimmed(line)).empty()) {
    const std::string_view word = line.substr(0, line.find_first_of(" \t\r\v\f"));
    words.push_back(word);
    line.remove_prefix(word.size());
  }
  return words;
}

std::optional<double> numberOf(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  return numberInText<double>(word);
}

class PrescriptionReader {
 public:
  Prescription read(std::string_view text) {
    while (!text.empty()) {
      ++line_;
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(line.size() + 1, text.size()));
      readLine(trimmed(line.substr(0, line.find('#'))));
    }
    if (lens_.surfaces.empty()) throw UsageError("it has no surfaces");
    findStop();
    if (lens_.surfaces.back().index != 1.0) refuse("the last surface must end in air");
    return lens_;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw UsageError("line " + std::to_string(line_) + ": " + why);
  }

  void readLine(std::string_view line) {
    if (line.empty()) return;
    const std::size_t colon = line.find(':');
    if (colon == line.npos) return readSurface(wordsOf(line));
    const std::string_view key = line.substr(0, colon), value = trimmed(line.substr(colon + 1));
    if (!lens_.surfaces.empty()) refuse("a line with a colon must come before the surfaces");
    if (key == "title")
      lens_.title = value;
    else if (key == "source")
      lens_.source = value;
    else if (key == "scale")
      scale_ = read({"scale", nullptr, 1e-6, 1e6, false}, value);
    else if (key == "columns")
      readColumns(value);
    else
      refuse("unknown word " + inQuotes(key) + "; expected title, source, scale or columns");
  }

  void readColumns(std::string_view names) {
    columns_.clear();
    for (const std::string_view name : wordsOf(names)) {
      const auto found = std::ranges::find(kColumns, name, &ColumnRow::name);
      if (found == kColumns.end()) refuse("no column is called " + inQuotes(name));
      if (std::ranges::any_of(columns_, [&](const ColumnRow& other) { return other.value == found->value; }))
        refuse("a second column " + inQuotes(name));
      columns_.push_back(*found);
    }
    for (const std::size_t needed : {0, 1, 4})
      if (std::ranges::find(columns_, kColumns[needed].value, &ColumnRow::value) == columns_.end())
        refuse("the column " + std::string(kColumns[needed].name) + " is missing");
  }

  double read(const ColumnRow& column, std::string_view word) const {
    const auto number = word == "-" ? 0.0 : numberOf(word);
    const bool isPlane = column.value == kColumns[0].value && number && std::isinf(*number);
    if (isPlane || (number == 0.0 && column.mayLack)) return 0.0;
    if (!number || !(*number >= column.least && *number <= column.most))
      refuse(std::string(column.name) + " " + excerpt(word) + ": expected a number from " +
             json::numberText(column.least) + " to " + json::numberText(column.most));
    return *number;
  }

  void readSurface(std::vector<std::string_view> words) {
    LensSurface surface;
    if (const auto stop = std::ranges::find(words, "stop"); stop != words.end()) {
      surface.stop = true;
      *stop = "-";  // in place of the radius
      if (stop + 1 == words.end()) words.pop_back();
    }
    if (columns_.empty())
      for (const char* const plain : kPlainColumns)
        if (wordsOf(plain).size() == words.size()) readColumns(plain);
    if (columns_.empty() || words.size() != columns_.size())
      refuse(std::to_string(words.size()) + " values; expected " +
             (columns_.empty() ? "radius thickness index (abbe) diameter" : namesOf(columns_)));
    for (std::size_t i = 0; i < words.size(); ++i)
      if (const double number = read(columns_[i], words[i]); number != 0.0)
        surface.*columns_[i].value = number / (columns_[i].name == "diameter" ? 2.0 : 1.0);
    surface.thickness *= scale_;
    surface.semi *= scale_;
    // The clear aperture of a sphere cannot be wider than the sphere.
    const double radius = surface.curvature * scale_;
    if (surface.curvature != 0.0) surface.curvature = 1.0 / radius;
    if ((1.0 + surface.conic) * surface.semi * surface.semi > radius * radius * (1.0 + 1e-9) && radius != 0.0)
      refuse("the surface is " + json::numberText(2.0 * surface.semi) + " mm wide, but its radius is " +
             json::numberText(radius) + " mm");
    if (lens_.surfaces.size() == kMaxSurfaces) refuse("more than " + std::to_string(kMaxSurfaces) + " surfaces");
    lens_.surfaces.push_back(surface);
    lines_.push_back(line_);
  }

  static std::string namesOf(const std::vector<ColumnRow>& columns) {
    std::string names;
    for (const ColumnRow& column : columns) names.append(names.empty() ? "" : " ").append(column.name);
    return names;
  }

  // Marks the stop: the surface with the word "stop", or the only plane in air.
  void findStop() {
    auto& surfaces = lens_.surfaces;
    std::vector<std::size_t> stops;
    for (std::size_t i = 0; i < surfaces.size(); ++i)
      if (surfaces[i].stop) stops.push_back(i);
    if (stops.empty())
      for (std::size_t i = 0; i < surfaces.size(); ++i)
        if (surfaces[i].curvature == 0.0 && surfaces[i].index == 1.0 && (i == 0 || surfaces[i - 1].index == 1.0))
          stops.push_back(i);
    if (stops.empty()) throw UsageError("it has no stop; write \"stop\" in place of the radius");
    if (stops.size() > 1)
      throw UsageError("two stops, in the lines " + std::to_string(lines_[stops[0]]) + " and " +
                       std::to_string(lines_[stops[1]]));
    surfaces[stops[0]].stop = true;
  }

  Prescription lens_;
  std::vector<ColumnRow> columns_;
  std::vector<std::size_t> lines_;  // of the surfaces
  double scale_ = 1.0;
  std::size_t line_ = 0;
};

}  // namespace

Prescription readPrescription(std::string_view text) { return PrescriptionReader().read(text); }

}  // namespace satdof
