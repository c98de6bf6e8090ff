#include "app/trace/player.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <utility>

#include "app/core/files/data_dir.h"
#include "app/core/text/count_text.h"
#include "app/core/text/formatted.h"

namespace satdof::trace {

namespace {

// Returns the lines of a source file of the CUDA library, such as "cuda/scan/tree.cuh"; none if it is not installed.
std::vector<std::string> linesOf(const std::string& file) {
  std::vector<std::string> lines;
  std::ifstream stream(dataDir() / file);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

// The inverse of pack() in cuda/scan/lookback.cuh.
TileState tileStateOf(std::uint64_t word) {
  constexpr std::uint64_t kInclusive = 1, kRun = 0xfffffffe;
  if ((word & kRun) == 0) return TileState::invalid;
  return (word & kInclusive) != 0 ? TileState::inclusive : TileState::aggregate;
}

std::uint32_t tileSumOf(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }

Player::Player(Trace trace)
    : trace_(std::move(trace)), launches_(std::max<std::size_t>(1, trace_.counts.launches.size())) {
  for (std::size_t i = 0; i < trace_.counts.launches.size(); ++i)
    launches_[i].lastSteps.resize(trace_.counts.launches[i].grid.count());
  std::vector<std::vector<bool>> used(launches_.size(), std::vector<bool>(trace_.buffers.size()));
  std::vector<unsigned> barriers;  // of each block
  for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
    const Step& step = trace_.steps[i];
    Launch& launch = launches_[step.launch];
    if (i == 0 || step.launch != trace_.steps[i - 1].launch) {
      launchStarts_.push_back(i);
      barriers.assign(launch.lastSteps.size(), 0);
    }
    launch.lastSteps[step.block] = i;
    if (step.kind == StepKind::barrier) {
      barriers_.push_back(i + 1);
      launch.mostBarriers = std::max(launch.mostBarriers, ++barriers[step.block]);
    } else if (step.isAccess() && !used[step.launch][step.buffer]) {
      used[step.launch][step.buffer] = true;
      launch.buffers.push_back(step.buffer);
    }
  }
  for (Launch& launch : launches_)
    std::ranges::sort(launch.buffers, {},
                      [&](std::uint32_t buffer) { return std::pair(trace_.buffers[buffer].space, buffer); });
  for (const Source& source : trace_.sources)
    if (!files_.contains(source.file)) files_[source.file] = linesOf(source.file);
  restart();
}

std::span<const std::string> Player::sourceLines() const {
  if (step() == nullptr) return {};
  return files_.at(trace_.sources[step()->source].file);
}

std::span<const Lane> Player::lanes(const Step& step) const {
  return std::span(trace_.lanes).subspan(step.firstLane, step.laneCount);
}

std::span<const Lane> Player::lanesDone() const {
  return step() == nullptr ? std::span<const Lane>() : lanes(*step()).first(lanesDone_);
}

std::uint32_t Player::launch() const { return launch_.value_or(0); }

unsigned Player::warps() const {
  if (trace_.counts.launches.empty()) return 0;
  return (trace_.counts.launches[launch()].block.count() + kWarpSize - 1) / kWarpSize;
}

Player::Memory Player::memoryOf(const Buffer& buffer) const {
  const std::size_t count = buffer.bytes / buffer.elementBytes;
  return {std::vector<std::uint8_t>(buffer.bytes), std::vector<bool>(count),
          std::vector<std::uint32_t>(count, kNoWriter)};
}

const Player::Memory& Player::memory(std::uint32_t buffer) const {
  return trace_.buffers[buffer].space == Space::shared ? currentBlock().shared[buffer] : memory_[buffer];
}

void Player::restart() {
  position_ = lanesDone_ = 0;
  tally_ = {};
  launchEdges_.clear();
  memory_.clear();
  for (const Buffer& buffer : trace_.buffers) memory_.push_back(memoryOf(buffer));
  enterLaunch(0);
}

void Player::enterLaunch(std::uint32_t launch) {
  launch_ = launch;
  blocks_.clear();
  progress_.assign(launches_[launch].lastSteps.size(), Progress::waits);
  enterBlock(0);
  if (trace_.counts.launches.empty()) return;
  const auto& contents = trace_.counts.launches[launch].contents;
  for (std::size_t i = 0; i < contents.size(); ++i) {
    Memory& memory = memory_[i];
    if (trace_.buffers[i].space == Space::shared || contents[i].size() != memory.bytes.size()) continue;
    memory.bytes = contents[i];
    std::fill(memory.known.begin(), memory.known.end(), true);
    std::ranges::fill(memory.writers, kNoWriter);
  }
}

Player::Block& Player::enterBlock(std::uint32_t number) {
  block_ = number;
  Block& block = blocks_[number];
  if (!block.reads.empty()) return block;
  block.reads.resize(std::max(std::size_t{1}, std::size_t{warps()} * kWarpSize));
  for (const Buffer& buffer : trace_.buffers)
    block.shared.push_back(buffer.space == Space::shared ? memoryOf(buffer) : Memory{});
  return block;
}

void Player::seek(std::size_t position) {
  position = std::min(position, end());
  if (position < position_ || (position == position_ && step() != nullptr && lanesDone_ < step()->laneCount)) restart();
  if (step() != nullptr) finish();
  while (position_ < position) {
    begin(trace_.steps[position_++]);
    finish();
  }
}

void Player::advance(Unit unit, int count) {
  for (; count > 0; --count) {
    if (unit != Unit::access) {
      seek(after(unit));
    } else if (step() != nullptr && lanesDone_ < step()->laneCount) {
      applyNext();
    } else if (position_ < end()) {
      begin(trace_.steps[position_++]);
      if (step()->laneCount > 0) applyNext();
    }
  }
  for (; count < 0; ++count) {
    if (unit != Unit::access || lanesDone_ <= 1) {
      seek(before(unit));
      continue;
    }
    const std::size_t lanesBefore = lanesDone_ - 1, position = position_;
    seek(position - 1);
    begin(trace_.steps[position_++]);
    while (lanesDone_ < lanesBefore) applyNext();
  }
}

unsigned Player::rows() const {
  return edgesByBarriers() ? launches_[launch()].mostBarriers + 1
                           : static_cast<unsigned>(trace_.counts.launches.size());
}

bool Player::continuesUnit(std::size_t step, Unit unit) const {
  const Step &now = trace_.steps[step], &before = trace_.steps[step - 1];
  return now.launch == before.launch &&
         (unit == Unit::launch || (before.kind != StepKind::barrier && now.block == before.block));
}

std::size_t Player::after(Unit unit) const {
  if (position_ == end()) return end();
  std::size_t next = position_ + 1;
  if (unit <= Unit::instruction) return next;
  while (next < end() && continuesUnit(next, unit)) ++next;
  return next;
}

std::size_t Player::before(Unit unit) const {
  if (position_ == 0) return 0;
  std::size_t next = position_ - 1;
  if (unit <= Unit::instruction) return next;
  while (next > 0 && continuesUnit(next, unit)) --next;
  return next;
}

unsigned Player::elements(std::uint32_t buffer) const {
  return static_cast<unsigned>(trace_.buffers[buffer].bytes / trace_.buffers[buffer].elementBytes);
}

std::uint32_t Player::elementOf(const Step& step, const Lane& lane) const {
  return lane.offset / trace_.buffers[step.buffer].elementBytes;
}

std::optional<std::uint64_t> Player::value(std::uint32_t buffer, std::uint32_t element) const {
  const Memory& from = memory(buffer);
  if (element >= from.known.size() || !from.known[element]) return {};
  const unsigned bytes = trace_.buffers[buffer].elementBytes;
  std::uint64_t bits = 0;
  std::memcpy(&bits, &from.bytes[std::size_t{element} * bytes], std::min<std::size_t>(bytes, sizeof bits));
  return bits;
}

std::uint32_t Player::writer(std::uint32_t buffer, std::uint32_t element) const {
  const auto& writers = memory(buffer).writers;
  return element < writers.size() ? writers[element] : kNoWriter;
}

std::optional<std::uint64_t> Player::lastWord(std::uint32_t warp, std::uint32_t lane) const {
  const auto& threads = currentBlock().reads;
  const std::size_t thread = std::size_t{warp} * kWarpSize + lane;
  return thread < threads.size() ? threads[thread].word : std::nullopt;
}

void Player::begin(const Step& step) {
  lanesDone_ = 0;
  if (step.launch != launch_) enterLaunch(step.launch);
  Block& block = enterBlock(step.block);
  const bool last = position_ - 1 == launches_[step.launch].lastSteps[step.block];
  progress_[step.block] = last ? Progress::done : Progress::runs;
  tally_ += tallyOf(step, trace_.buffers);
  if (step.kind == StepKind::barrier) ++block.barriersPassed;
}

void Player::applyNext() { apply(*step(), lanes(*step())[lanesDone_++]); }

void Player::finish() {
  while (lanesDone_ < step()->laneCount) applyNext();
}

void Player::apply(const Step& step, const Lane& lane) {
  Block& block = blocks_.at(step.block);
  const Buffer& buffer = trace_.buffers[step.buffer];
  Memory& memory = buffer.space == Space::shared ? block.shared[step.buffer] : memory_[step.buffer];
  const std::size_t end = std::min<std::size_t>(lane.offset + step.bytes, memory.bytes.size());
  if (lane.offset >= end) return;
  auto& reads = block.reads[std::size_t{step.warp} * kWarpSize + lane.lane];
  const std::uint32_t first = elementOf(step, lane);
  const auto last = static_cast<std::uint32_t>((end - 1) / buffer.elementBytes);
  const auto index = static_cast<std::uint32_t>(position_ - 1);
  reads.word = lane.words[0];
  if (buffer.elementBytes == sizeof(std::uint64_t)) *reads.word |= std::uint64_t{lane.words[1]} << 32;
  if (step.kind != StepKind::read || !memory.known[first])
    std::memcpy(&memory.bytes[lane.offset], lane.words, end - lane.offset);
  for (std::uint32_t element = first; element <= last; ++element) {
    memory.known[element] = true;
    if (step.kind != StepKind::write) {
      if (std::exchange(reads.used, false)) reads.from.clear();
      reads.from.push_back({step.buffer, element});
    }
    if (step.kind != StepKind::read) memory.writers[element] = index;
  }
  if (step.kind == StepKind::read) return;
  for (const Element& from : reads.from)
    if (from.buffer == step.buffer)
      (edgesByBarriers() ? block.edges : launchEdges_).push_back({step.buffer, from.element, first, row()});
  reads.used = true;
}

std::string valueText(std::uint64_t bits, const Buffer& buffer) {
  constexpr std::uint64_t kMaxCount = 1u << 24;
  if (buffer.holdsTileWords) {
    const TileState state = tileStateOf(bits);
    if (state == TileState::invalid) return "-";
    return (state == TileState::inclusive ? "P " : "A ") + valueText(tileSumOf(bits), {.name = "", .elementBytes = 4});
  }
  if (buffer.elementBytes == 4 && bits > kMaxCount) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    return std::isfinite(value) && std::abs(value) > 1e-9f && std::abs(value) < 1e9f
               ? formatted("%.3g", static_cast<double>(value))
               : formatted("0x%x", static_cast<unsigned>(bits));
  }
  return std::to_string(bits);
}

std::string stepText(const Trace& trace, const Step& step) {
  std::string text = "Block " + std::to_string(step.block);
  if (step.kind == StepKind::barrier) return text + ": barrier, all threads have arrived";
  text += ", warp " + std::to_string(step.warp);
  if (step.kind == StepKind::lanes) return text + ": the lanes exchange registers";
  const Buffer& buffer = trace.buffers[step.buffer];
  const char* const verb = step.kind == StepKind::read    ? " reads "
                           : step.kind == StepKind::write ? " writes "
                                                          : " changes atomically ";
  text += verb + buffer.name + ": " + countText(step.laneCount, "lane");
  if (buffer.space == Space::shared)
    return text + ", " + (step.passes == 1 ? "1 pass" : std::to_string(step.passes) + " passes");
  return text + ", " + countText(step.sectors, "sector");
}

std::string elementText(const Player& player, std::uint32_t index, std::uint32_t element) {
  const Buffer& buffer = player.trace().buffers[index];
  const auto value = player.value(index, element);
  std::string text = buffer.name + "[" + std::to_string(element) + "]";
  text += value ? " = " + valueText(*value, buffer) : ": not written yet";
  if (buffer.holdsTileWords && value) {
    static constexpr const char* kStates[] = {"invalid: nothing is published", "the sum of a tile (aggregate)",
                                              "the sum up to the end of a tile (inclusive prefix)"};
    text += std::string("\n") + kStates[static_cast<std::size_t>(tileStateOf(*value))];
  }
  if (buffer.space == Space::shared) text += "\nbank " + std::to_string(element * buffer.elementBytes / 4 % kWarpSize);
  const std::uint32_t writer = player.writer(index, element);
  if (writer == kNoWriter) return text + (value && buffer.space == Space::global ? "\nas before the launch" : "");
  const Step& step = player.trace().steps[writer];
  for (const Lane& lane : player.lanes(step)) {
    const std::uint32_t begin = element * buffer.elementBytes;
    if (begin + buffer.elementBytes <= lane.offset || begin >= lane.offset + step.bytes) continue;
    text += "\nwritten by thread " + std::to_string(step.warp * kWarpSize + lane.lane) + " of block " +
            std::to_string(step.block) + ", step " + std::to_string(writer + 1);
    break;
  }
  const Source& source = player.trace().sources[step.source];
  return text + "\n" + source.file + ":" + std::to_string(source.line);
}

}  // namespace satdof::trace
