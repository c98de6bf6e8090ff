#include "app/lab/results.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "app/core/text/count_text.h"
#include "app/core/text/formatted.h"

namespace satdof::lab {

namespace {

// Returns (x, time) of the points of `curve` that have this time.
std::vector<std::pair<double, double>> timesOf(const Curve& curve, Timed timed) {
  std::vector<std::pair<double, double>> times;
  for (const Point& point : curve.points)
    if (const auto& time = point.time(timed); time && time->medianUs > 0) times.emplace_back(point.x, time->medianUs);
  return times;
}

double interpolated(double x, double x0, double y0, double x1, double y1) {
  const double part = x1 == x0 ? 0.0 : std::log(x / x0) / std::log(x1 / x0);
  return y0 * std::pow(y1 / y0, part);
}

}  // namespace

Spread spreadOf(std::vector<double> samplesUs) {
  if (samplesUs.empty()) return {};
  std::ranges::sort(samplesUs);
  const auto at = [&](double fraction) {
    return samplesUs[static_cast<std::size_t>(std::lround(fraction * static_cast<double>(samplesUs.size() - 1)))];
  };
  return {at(0.5), at(0.1), at(0.9), static_cast<int>(samplesUs.size())};
}

const char* name(DeviceKind kind) {
  return kind == DeviceKind::processor ? "processor" : kind == DeviceKind::openGl ? "opengl" : "cuda";
}

std::span<const EnumEntry<Timed>> entries(Timed) {
  static constexpr std::array kEntries = {EnumEntry<Timed>{Timed::kernel, "kernel", "Work alone"},
                                          EnumEntry<Timed>{Timed::endToEnd, "end-to-end", "With launch and copies"}};
  return kEntries;
}

std::string numberText(double value) { return formatted("%.12g", value); }

bool isPowerOfTwo(double value) { return value >= 1 && std::exp2(std::round(std::log2(value))) == value; }

double sizeUnit(double value) { return value >= 1 << 20 ? 1 << 20 : value >= 1 << 10 ? 1 << 10 : 1; }

std::string sizeText(double value, bool powersOfTwo) {
  if (powersOfTwo) {
    const double unit = sizeUnit(value);
    return numberText(value / unit) + (unit > 1024 ? " M" : unit > 1 ? " K" : "");
  }
  return value >= 1e6 ? numberText(value / 1e6) + "e6" : numberText(value);
}

std::string durationText(double timeUs) {
  struct Unit {
    double us;
    const char* name;
  };
  constexpr Unit kUnits[] = {{1e6, " s"}, {1e3, " ms"}, {1, " us"}, {1e-3, " ns"}};
  for (const Unit& unit : kUnits) {
    const double value = timeUs / unit.us;
    if (value < 0.9995 && &unit != std::end(kUnits) - 1) continue;
    return formatted(value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f", value) + unit.name;
  }
  return {};
}

std::vector<CurveNote> notesOf(const ExperimentResult& result) {
  std::vector<std::pair<std::string, std::vector<const Curve*>>> reasons;  // and curves
  for (const Curve& curve : result.curves) {
    if (curve.note.empty()) continue;
    auto known = std::ranges::find(reasons, curve.note, [](const auto& each) { return each.first; });
    if (known == reasons.end()) known = reasons.insert(known, {curve.note, {}});
    known->second.push_back(&curve);
  }
  std::vector<CurveNote> notes;
  for (const auto& [reason, curves] : reasons) {
    CurveNote& note = notes.emplace_back();
    const bool one = curves.size() == 1;
    note.text = one ? curves[0]->name : countText(curves.size(), "curve");
    note.text.append(": ").append(reason);
    for (const Curve* const curve : curves) {
      const std::string& what = curve->summary;
      if (!one)
        note.curves.push_back(what.empty() ? curve->name : curve->name + ": " + what);
      else if (!what.empty())
        note.curves.push_back(what);
    }
  }
  return notes;
}

std::string machineText(const Context& context) {
  constexpr struct {
    std::string_view key;
    const char* before;
  } kParts[] = {{"gpu", ""}, {"driver", "driver "}, {"cpu", ""}, {"date", ""}, {"commit", "commit "}};
  std::string text;
  for (const auto& [key, before] : kParts)
    for (const auto& [name, value] : context)
      if (name == key) text.append(text.empty() ? "" : ", ").append(before).append(value);
  return text;
}

std::vector<std::string> spreadNotes(const ExperimentResult& result, Timed timed) {
  std::vector<std::string> notes;
  int least = std::numeric_limits<int>::max(), most = 0;
  for (const Curve& curve : result.curves)
    for (const Point& point : curve.points)
      if (const auto& time = point.time(timed); time && time->samples > 0) {
        least = std::min(least, time->samples);
        most = std::max(most, time->samples);
      }
  if (most > 0)
    notes.push_back("bars: 10th to 90th percentile of " +
                    (least < most ? std::to_string(least) + " to " : std::string()) +
                    countText(static_cast<std::size_t>(most), "sample"));
  for (const Curve& curve : result.curves) {
    if (curve.machine.empty()) continue;
    std::string note = "stored, dashed: " + curve.machine;
    if (std::ranges::find(notes, note) == notes.end()) notes.push_back(std::move(note));
  }
  return notes;
}

std::string withoutPaths(const std::string& text) {
  std::string kept;
  std::size_t wordStart = 0;  // in `kept`
  for (std::size_t i = 0; i < text.size(); ++i) {
    // A slash before a space is a division, not a path.
    if (text[i] == '/' && i + 1 < text.size() && text[i + 1] != ' ') {
      kept.resize(wordStart);
      continue;
    }
    kept += text[i];
    if (std::string_view(" \"(\n").find(text[i]) != std::string_view::npos) wordStart = kept.size();
  }
  return kept;
}

std::optional<double> timeAt(const Curve& curve, Timed timed, double x) {
  const auto times = timesOf(curve, timed);
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i].first == x) return times[i].second;
    if (times[i].first > x)
      return i == 0 ? std::nullopt
                    : std::optional(
                          interpolated(x, times[i - 1].first, times[i - 1].second, times[i].first, times[i].second));
  }
  return std::nullopt;
}

std::optional<double> speedUp(const Curve& baseline, const Curve& curve, Timed timed, double x) {
  const auto base = timeAt(baseline, timed, x), time = timeAt(curve, timed, x);
  if (!base || !time) return std::nullopt;
  return *base / *time;
}

std::optional<double> crossover(const Curve& baseline, const Curve& curve, Timed timed) {
  std::vector<double> xs;
  for (const Curve* const of : {&baseline, &curve})
    for (const auto& [x, time] : timesOf(*of, timed)) xs.push_back(x);
  std::ranges::sort(xs);
  double lastX = 0, lastGain = 0;  // at the next larger size
  for (std::size_t i = xs.size(); i-- > 0;) {
    const double x = xs[i];
    const auto gain = speedUp(baseline, curve, timed, x);
    if (!gain) continue;
    if (lastX == 0 && *gain <= 1) return std::nullopt;
    if (*gain <= 1) {
      // Interpolates the logarithm of the gain to 0 between both sizes.
      const double part = std::log(*gain) / (std::log(*gain) - std::log(lastGain));
      return x * std::pow(lastX / x, part);
    }
    lastX = x;
    lastGain = *gain;
  }
  return std::nullopt;
}

}  // namespace satdof::lab
