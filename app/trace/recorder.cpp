#include "app/trace/recorder.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <numeric>
#include <utility>

namespace satdof::trace {

namespace {

constexpr unsigned kWarp = 32;
constexpr unsigned kBankBytes = 4, kSectorBytes = 32;
constexpr unsigned kTileWordBytes = 8;  // TileWord of cuda/scan/lookback.cuh

What whatOf(emulator::Kind kind) {
  switch (kind) {
    case emulator::Kind::read:
    case emulator::Kind::relaxedRead:
      return What::read;
    case emulator::Kind::write:
    case emulator::Kind::relaxedWrite:
      return What::write;
    case emulator::Kind::atomic:
      break;
  }
  return What::atomic;
}

// Turns of the banks: words of one bank come one after the other, the same word reaches all lanes at once. Lanes that
// change one word atomically take turns, too. Lanes are served in groups that all banks together can serve at once.
unsigned passesOf(What what, unsigned bytes, std::span<const Lane> lanes, unsigned banks) {
  const unsigned group = std::min(kWarp, std::max(1u, banks * kBankBytes / std::max(bytes, kBankBytes)));
  unsigned all = 0;
  for (unsigned first = 0; first < kWarp; first += group) {
    std::array<std::vector<std::uint32_t>, kWarp> words;  // of each bank
    for (const Lane& lane : lanes) {
      if (lane.lane < first || lane.lane >= first + group) continue;
      for (std::uint32_t word = lane.offset / kBankBytes; word * kBankBytes < lane.offset + bytes; ++word) {
        auto& ofBank = words[word % banks];
        if (what == What::atomic || std::ranges::find(ofBank, word) == ofBank.end()) ofBank.push_back(word);
      }
    }
    std::size_t most = 0;
    for (const auto& ofBank : words) most = std::max(most, ofBank.size());
    all += static_cast<unsigned>(most);
  }
  return all;
}

struct Sectors {
  unsigned touched, least;
};

Sectors sectorsOf(unsigned bytes, std::span<const Lane> lanes) {
  std::vector<std::uint32_t> begins, sectors;
  for (const Lane& lane : lanes) begins.push_back(lane.offset);
  std::ranges::sort(begins);
  unsigned distinct = 0;
  std::uint32_t end = 0;
  for (const std::uint32_t begin : begins) {
    distinct += begin + bytes - std::min(std::max(begin, end), begin + bytes);
    end = std::max(end, begin + bytes);
    for (std::uint32_t sector = begin / kSectorBytes; sector * kSectorBytes < begin + bytes; ++sector)
      if (sectors.empty() || sectors.back() < sector) sectors.push_back(sector);
  }
  return {static_cast<unsigned>(sectors.size()), (distinct + kSectorBytes - 1) / kSectorBytes};
}

Extent3 extentOf(const dim3& of) { return {of.x, of.y, of.z}; }

}  // namespace

Recorder::Recorder(bool keeps, const std::vector<NamedMemory>& names, unsigned banks)
    : keeps_(keeps), banks_(banks), names_(names) {}

void Recorder::began(const emulator::Launch& launch) {
  LaunchInfo info;
  info.kernel = emulator::nameOf(launch.kernel);
  info.grid = extentOf(launch.grid);
  info.block = extentOf(launch.block);
  info.sharedBytes = launch.sharedBytes;
  std::erase_if(regions_, [&](const auto& each) {
    return trace_.buffers[each.second.buffer].space == Space::shared;  // their sizes may change
  });
  last_ = {};
  trace_.counts.launches.push_back(std::move(info));
  if (keeps_) {
    auto& contents = trace_.counts.launches.back().contents;
    contents.resize(trace_.buffers.size());
    for (const auto& [begin, region] : regions_) {
      const auto* const from = reinterpret_cast<const std::uint8_t*>(begin);
      contents[region.buffer].assign(from, from + (region.end - begin));
    }
  }
  const unsigned threads = launch.block.x * launch.block.y * launch.block.z;
  for (Block& block : blocks_) block.warps.resize((threads + kWarp - 1) / kWarp);
  turns_.clear();
}

void Recorder::beganBlock(const emulator::Place& block) { blocks_[block.slot].place = block; }

void Recorder::endedBlock(const emulator::Place& block) {
  closeBlockStretch(block);
  LaunchInfo& launch = trace_.counts.launches.back();
  launch.depth = std::max(launch.depth, std::exchange(blocks_[block.slot].depth, 0));
  blocks_[block.slot].place.reset();
}

// Blocks that a fault ends are open.
void Recorder::ended() {
  for (const Block& block : blocks_)
    if (block.place) endedBlock(emulator::Place(*block.place));
  sortByTurns();
}

void Recorder::sortByTurns() {
  if (std::ranges::is_sorted(turns_)) return;
  std::vector<std::size_t> order(turns_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return turns_[i]; });
  const auto from = trace_.steps.end() - static_cast<std::ptrdiff_t>(order.size());
  const std::vector<Step> steps(from, trace_.steps.end());
  std::ranges::transform(order, from, [&](std::size_t i) { return steps[i]; });
}

std::uint32_t Recorder::bufferOf(const emulator::Access& access) {
  const std::uintptr_t address = access.address;
  if (address >= last_.begin && address < last_.end) return last_.buffer;
  if (auto after = regions_.upper_bound(address); after != regions_.begin()) {
    --after;
    if (address < after->second.end) return (last_ = after->second).buffer;
  }
  emulator::Memory memory = emulator::memoryAt(address);
  if (memory.begin == 0) memory = {address, access.bytes, "shared variable"};
  const auto known = std::ranges::find(addresses_, memory.begin);
  const auto number = static_cast<std::uint32_t>(known - addresses_.begin());
  last_ = {memory.begin, memory.begin + memory.bytes, number};
  regions_[memory.begin] = last_;
  if (known != addresses_.end()) {
    trace_.buffers[number].bytes = std::max(trace_.buffers[number].bytes, memory.bytes);
    return number;
  }
  Buffer buffer;
  buffer.bytes = memory.bytes;
  buffer.elementBytes = access.bytes;
  const bool relaxed =
      access.kind == emulator::Kind::relaxedRead || access.kind == emulator::Kind::relaxedWrite;
  buffer.holdsTileWords = relaxed && access.bytes >= kTileWordBytes;
  if (buffer.holdsTileWords) buffer.elementBytes = kTileWordBytes;
  if (access.space == emulator::Space::shared) {
    buffer.space = Space::shared;
    buffer.name = memory.name.empty() ? "shared" : memory.name;
  } else {
    const auto named = std::ranges::find(names_, memory.begin, [](const NamedMemory& each) {
      return reinterpret_cast<std::uintptr_t>(each.data);
    });
    buffer.name = named != names_.end() ? named->name : "scratch " + std::to_string(++scratch_);
    if (named != names_.end()) buffer.elementBytes = named->elementBytes;
  }
  addresses_.push_back(memory.begin);
  trace_.buffers.push_back(std::move(buffer));
  if (keeps_) {
    auto& contents = trace_.counts.launches.back().contents;
    contents.resize(trace_.buffers.size());
    const auto* const from = reinterpret_cast<const std::uint8_t*>(memory.begin);
    if (access.space == emulator::Space::global) contents[number].assign(from, from + memory.bytes);
  }
  return number;
}

std::uint32_t Recorder::sourceOf(const void* code) {
  const auto [known, isNew] = sourceOfCode_.try_emplace(code, 0);
  if (!isNew) return known->second;
  const std::string text = emulator::sourceOf(code);
  Source source{text, 0};
  if (const auto colon = text.rfind(':'); colon != text.npos) {
    source.file = text.substr(0, colon);
    std::from_chars(text.data() + colon + 1, text.data() + text.size(), source.line);
  }
  auto& all = trace_.sources;
  const auto same = std::ranges::find(all, source);
  known->second = static_cast<std::uint32_t>(same - all.begin());
  if (same == all.end()) {
    all.push_back(source);
    trace_.counts.lines.push_back({source, {}});
  }
  return known->second;
}

// Whether the lane reads a word again that it waits for: on a GPU, time decides how often.
bool Recorder::pollsAgain(const Warp& warp, unsigned lane, const emulator::Access& access) const {
  const int at = warp.walkers[lane].at;
  if (at == kNone) return false;
  const Node& node = warp.nodes[static_cast<std::size_t>(at)];
  const auto offset = static_cast<std::uint32_t>(access.address - addresses_[node.buffer]);
  return node.code == access.code && node.lanes.back().lane == lane && node.lanes.back().offset == offset;
}

// The node of this access: the lane's next one, or a new one after the lane's last.
int Recorder::nodeOf(Warp& warp, unsigned lane, const emulator::Access& access, std::uint32_t buffer) {
  Walker& walker = warp.walkers[lane];
  const auto known =
      std::ranges::find(walker.repetitions, access.code, [](const auto& each) { return each.first; });
  const unsigned repetition = known == walker.repetitions.end() ? 0 : ++known->second;
  if (known == walker.repetitions.end()) walker.repetitions.emplace_back(access.code, 0);
  const int next = walker.at == kNone ? warp.first : warp.nodes[static_cast<std::size_t>(walker.at)].next;
  for (int i = next; i != kNone; i = warp.nodes[static_cast<std::size_t>(i)].next) {
    const Node& node = warp.nodes[static_cast<std::size_t>(i)];
    if (node.code == access.code && node.repetition == repetition) return i;
  }
  const auto made = static_cast<int>(warp.used++);
  if (warp.used > warp.nodes.size()) warp.nodes.emplace_back();
  Node& node = warp.nodes[static_cast<std::size_t>(made)];
  node.code = access.code;
  node.repetition = repetition;
  node.what = whatOf(access.kind);
  node.bytes = access.bytes;
  node.buffer = buffer;
  node.next = next;
  node.turn = 0;
  node.lanes.clear();
  (walker.at == kNone ? warp.first : warp.nodes[static_cast<std::size_t>(walker.at)].next) = made;
  return made;
}

void Recorder::accessed(const emulator::Access& access) {
  if (full_) emulator::fault("the trace is full", access.code);
  finishWrite();
  const std::uint32_t buffer = bufferOf(access);
  const unsigned lane = access.place->index % kWarp;
  Warp& warp = warpOf(*access.place);
  const bool polls = access.kind == emulator::Kind::relaxedRead && pollsAgain(warp, lane, access);
  const int at = polls ? warp.walkers[lane].at : nodeOf(warp, lane, access, buffer);
  warp.walkers[lane].at = at;
  Node& node = warp.nodes[static_cast<std::size_t>(at)];
  node.turn = emulator::turn();
  if (!polls)
    node.lanes.push_back({.lane = static_cast<std::uint8_t>(lane),
                          .offset = static_cast<std::uint32_t>(access.address - addresses_[buffer])});
  if (!keeps_) return;
  write_ = Write{access.address, access.bytes, &warp, at, node.lanes.size() - 1};
  if (whatOf(access.kind) == What::read) finishWrite();
}

// The value of an access: of a write, once it has happened.
void Recorder::finishWrite() {
  if (!write_) return;
  Lane& lane = write_->warp->nodes[static_cast<std::size_t>(write_->node)].lanes[write_->lane];
  std::memcpy(lane.words, reinterpret_cast<const void*>(write_->address),
              std::min<std::size_t>(write_->bytes, sizeof lane.words));
  write_.reset();
}

Recorder::Warp& Recorder::warpOf(const emulator::Place& place) {
  return blocks_[place.slot].warps[place.index / kWarp];
}

Step Recorder::stepOf(What what, const emulator::Place& place, const void* code) {
  return {.what = what,
          .launch = static_cast<std::uint32_t>(trace_.counts.launches.size() - 1),
          .block = place.blockIndex,
          .warp = place.index / kWarp,
          .source = sourceOf(code)};
}

void Recorder::count(const Step& step, std::uint64_t leastSectors) {
  Tally tally;
  const bool shared =
      trace_.buffers.size() > step.buffer && trace_.buffers[step.buffer].space == Space::shared;
  if (step.what == What::lanes) {
    tally.laneExchanges = 1;
  } else if (step.what == What::barrier) {
    tally.barriers = 1;
  } else {
    tally.atomics = step.what == What::atomic ? 1 : 0;
    tally.lanes = step.laneCount;
    (shared ? tally.sharedAccesses : tally.globalAccesses) = 1;
    tally.sharedPasses = step.passes;
    tally.globalSectors = step.sectors;
    tally.leastSectors = leastSectors;
  }
  trace_.counts.launches.back().tally += tally;
  trace_.counts.lines[step.source].tally += tally;
  trace_.counts.total += tally;
}

void Recorder::keep(const Kept& kept) {
  if (!keeps_ || full_) return;
  full_ = trace_.lanes.size() + kept.lanes.size() > kMostLanes;
  if (full_) return;
  Step step = kept.step;
  step.firstLane = static_cast<std::uint32_t>(trace_.lanes.size());
  trace_.lanes.insert(trace_.lanes.end(), kept.lanes.begin(), kept.lanes.end());
  trace_.steps.push_back(step);
  turns_.push_back(kept.turn);
}

void Recorder::closeStretch(Warp& warp, const emulator::Place& block, std::uint32_t number) {
  std::uint64_t turn = 0;
  for (int i = warp.first; i != kNone; i = warp.nodes[static_cast<std::size_t>(i)].next) {
    Node& node = warp.nodes[static_cast<std::size_t>(i)];
    Step step = stepOf(node.what, block, node.code);
    step.bytes = node.bytes;
    step.warp = number;
    step.buffer = node.buffer;
    step.laneCount = static_cast<std::uint32_t>(node.lanes.size());
    std::uint64_t least = 0;
    if (trace_.buffers[node.buffer].space == Space::shared) {
      step.passes = static_cast<std::uint8_t>(passesOf(node.what, node.bytes, node.lanes, banks_));
    } else {
      const Sectors sectors = sectorsOf(node.bytes, node.lanes);
      step.sectors = static_cast<std::uint8_t>(sectors.touched);
      least = sectors.least;
    }
    count(step, least);
    ++warp.length;
    turn = std::max(turn, node.turn);
    if (keeps_) warp.steps.push_back({step, turn, std::move(node.lanes)});
  }
  warp.first = kNone;
  warp.used = 0;
  for (Walker& walker : warp.walkers) {
    walker.at = kNone;
    walker.repetitions.clear();
  }
}

void Recorder::passedWarp(const emulator::Place& last, const void* code) {
  finishWrite();
  Warp& warp = warpOf(last);
  closeStretch(warp, last, last.index / kWarp);
  const Step step = stepOf(What::lanes, last, code);
  count(step, 0);
  ++warp.length;
  if (keeps_) warp.steps.push_back({step, emulator::turn(), {}});
}

void Recorder::closeBlockStretch(const emulator::Place& block) {
  finishWrite();
  auto& warps = blocks_[block.slot].warps;
  std::uint64_t longest = 0;
  std::size_t most = 0;
  for (std::uint32_t number = 0; number < warps.size(); ++number) {
    closeStretch(warps[number], block, number);
    longest = std::max(longest, std::exchange(warps[number].length, 0));
    most = std::max(most, warps[number].steps.size());
  }
  blocks_[block.slot].depth += longest;
  for (std::size_t i = 0; i < most; ++i)
    for (const Warp& warp : warps)
      if (i < warp.steps.size()) keep(warp.steps[i]);
  for (Warp& warp : warps) warp.steps.clear();
}

void Recorder::passedBarrier(const emulator::Place& block, const void* code) {
  closeBlockStretch(block);
  ++blocks_[block.slot].depth;
  const Step step = stepOf(What::barrier, block, code);
  count(step, 0);
  keep({step, emulator::turn(), {}});
}

Trace Recorder::finish() {
  for (const LaunchInfo& launch : trace_.counts.launches) trace_.counts.depth += launch.depth;
  return std::move(trace_);
}

}  // namespace satdof::trace
