#include "app/trace/show.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "app/core/files/data_dir.h"
#include "app/core/files/files.h"
#include "app/trace/files.h"

namespace satdof::trace {

namespace {

constexpr std::size_t kMaxLessonBytes = 1 << 16;

Stop stopFrom(const nlohmann::json& json) {
  static constexpr std::array kEvents = {std::pair{"start", Stop::Event::start},
                                         std::pair{"barrier", Stop::Event::barrier},
                                         std::pair{"launch", Stop::Event::launch},
                                         std::pair{"conflict", Stop::Event::conflict},
                                         std::pair{"aggregate", Stop::Event::aggregate},
                                         std::pair{"inclusive", Stop::Event::inclusive},
                                         std::pair{"end", Stop::Event::end}};
  const std::string at = json.at("at");  // "barrier 2"
  const std::string event = at.substr(0, at.find(' '));
  const auto* const found =
      std::ranges::find(kEvents, event, [](const auto& entry) { return std::string(entry.first); });
  if (found == kEvents.end()) throw std::runtime_error("unknown stop \"" + at + "\"");
  Stop stop{found->second, 1, json.at("text")};
  if (event.size() < at.size()) stop.number = static_cast<unsigned>(std::stoul(at.substr(event.size())));
  return stop;
}

constexpr std::string_view kBeside = "beside.";

std::uint64_t countOf(const Player& player, const std::string& wanted) {
  const Tally& tally = player.tally();
  const std::pair<const char*, std::uint64_t> counts[] = {{"accesses", tally.sharedAccesses},
                                                          {"passes", tally.sharedPasses},
                                                          {"sectors", tally.globalSectors},
                                                          {"barriers", tally.barriers},
                                                          {"shuffles", tally.laneExchanges},
                                                          {"atomics", tally.atomics},
                                                          {"launches", player.trace().counts.launches.size()}};
  for (const auto& [name, count] : counts)
    if (name == wanted) return count;
  throw std::runtime_error("no count is named \"" + wanted + "\"");
}

// Returns the position after the first write of a word with this state for the tile.
std::size_t afterWord(const Player& player, unsigned tile, TileState state) {
  const Trace& trace = player.trace();
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const Step& step = trace.steps[i];
    if (step.kind != StepKind::write || !trace.buffers[step.buffer].holdsTileWords) continue;
    for (const Lane& lane : player.lanes(step)) {
      const std::uint64_t word = std::uint64_t{lane.words[1]} << 32 | lane.words[0];
      if (lane.offset / sizeof word == tile && tileStateOf(word) == state) return i + 1;
    }
  }
  return player.end();
}

}  // namespace

Lesson lessonFrom(const std::string& text) {
  try {
    const auto json = nlohmann::json::parse(text);
    Lesson lesson{.title = json.at("title"),
                  .request = {},
                  .beside = json.value("beside", ""),
                  .besideBlockSize = json.value("besideBlockSize", 0),
                  .stops = {}};
    lesson.request.kernel = json.at("kernel");
    lesson.request.elements = json.at("elements");
    lesson.request.blockSize = json.value("blockSize", lesson.request.blockSize);
    lesson.request.residentBlocks = json.value("residentBlocks", lesson.request.residentBlocks);
    useData(lesson.request, json.value("data", "ones"));
    if (const std::string whatIf = json.value("whatIf", ""); !whatIf.empty())
      lesson.request.whatIf = whatIfNamed(whatIf).value;
    requireValid(lesson.request, kMaxRecorded);
    if (!lesson.beside.empty()) kernelNamed(lesson.beside);
    for (const auto& stop : json.at("stops")) lesson.stops.push_back(stopFrom(stop));
    if (lesson.stops.empty()) throw std::runtime_error("it has no stops");
    return lesson;
  } catch (const std::exception& error) {
    throw std::runtime_error(std::string("no lesson: ") + error.what());
  }
}

std::vector<Lesson> lessons() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(dataDir() / "assets" / "lessons"))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<Lesson> all;
  for (const auto& file : files) {
    try {
      all.push_back(lessonFrom(readWholeFile(file, kMaxLessonBytes)));
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(file.filename().string() + ": " + error.what());
    }
  }
  return all;
}

std::size_t positionOf(const Stop& stop, const Player& player) {
  const auto nth = [&](std::span<const std::size_t> positions) {
    return stop.number == 0 || stop.number > positions.size() ? player.end() : positions[stop.number - 1];
  };
  switch (stop.event) {
    case Stop::Event::start:
      return 0;
    case Stop::Event::barrier:
      return std::max<std::size_t>(1, nth(player.barriers())) - 1;
    case Stop::Event::launch:
      return nth(player.launchStarts().subspan(std::min<std::size_t>(1, player.launchStarts().size())));
    case Stop::Event::conflict: {
      const auto& steps = player.trace().steps;
      const auto worst = std::ranges::max_element(steps, {}, &Step::passes);
      return worst == steps.end() ? 0 : static_cast<std::size_t>(worst - steps.begin()) + 1;
    }
    case Stop::Event::aggregate:
      return afterWord(player, stop.number, TileState::aggregate);
    case Stop::Event::inclusive:
      return afterWord(player, stop.number, TileState::inclusive);
    case Stop::Event::end:
      break;
  }
  return player.end();
}

Show::Show(const Request& request, const std::string& beside, int besideBlockSize) {
  players_.emplace_back(record(request));
  if (beside.empty()) return;
  Request other = request;
  other.kernel = beside;
  if (besideBlockSize != 0) other.blockSize = besideBlockSize;
  other.whatIf = WhatIf::nothing;
  players_.emplace_back(record(other));
}

bool Show::atEnd() const {
  return std::ranges::all_of(players_, [](const Player& player) { return player.position() == player.end(); });
}

void Show::step(Unit unit, int count) {
  for (Player& player : players_) player.advance(unit, count);
}

float Show::progress() const {
  const Player& first = players_.front();
  return static_cast<float>(first.position()) / static_cast<float>(std::max<std::size_t>(1, first.end()));
}

void Show::seek(float progress) {
  for (Player& player : players_)
    player.seek(
        static_cast<std::size_t>(std::lround(std::clamp(progress, 0.0f, 1.0f) * static_cast<float>(player.end()))));
}

void Show::seek(const Stop& stop) {
  // A second kernel without conflicts shows the step at the same position.
  const std::size_t first = positionOf(stop, players_.front());
  for (Player& player : players_) player.seek(stop.event == Stop::Event::conflict ? first : positionOf(stop, player));
}

std::string Show::textOf(const Stop& stop) const {
  std::string text = stop.text;
  for (auto open = text.find('{'); open != std::string::npos; open = text.find('{', open)) {
    const auto close = text.find('}', open);
    std::string wanted = text.substr(open + 1, close - open - 1);
    const bool beside = wanted.starts_with(kBeside);
    if (beside) wanted.erase(0, kBeside.size());
    if (beside && players_.size() < 2) throw std::runtime_error("no kernel beside for \"" + wanted + "\"");
    text.replace(open, close - open + 1, std::to_string(countOf(players_[beside ? 1 : 0], wanted)));
  }
  return text;
}

}  // namespace satdof::trace
