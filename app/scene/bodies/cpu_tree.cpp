#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "app/scene/bodies/block.h"
#include "app/scene/bodies/cpu_solver.h"

namespace satdof {

namespace {

constexpr int kLevels = 21;  // bits of a coordinate in a Morton code
constexpr int kLeafBodies = kBlockBodies;

// Puts two zero bits before each of the 21 lowest bits.
std::uint64_t spread(std::uint64_t bits) {
  bits = (bits | bits << 32) & 0x001f00000000ffffu;
  bits = (bits | bits << 16) & 0x001f0000ff0000ffu;
  bits = (bits | bits << 8) & 0x100f00f00f00f00fu;
  bits = (bits | bits << 4) & 0x10c30c30c30c30c3u;
  return (bits | bits << 2) & 0x1249249249249249u;
}

struct Key {
  std::uint64_t code;
  std::uint32_t body;
  bool operator<(const Key& other) const { return code != other.code ? code < other.code : body < other.body; }
};

// A cell of the tree, in depth-first order.
struct Cell {
  int first, last;    // bodies first to last - 1 in Morton order
  int next;           // the first cell after the subtree
  float sizeSquared;  // square of the edge
};

// Barnes and Hut 1986 with second moments, O(n log n) per step. Bodies are sorted along the Morton curve; a cell is a
// range of codes with a common prefix; blocks of 16 neighbouring bodies walk the cells in depth-first order. The force
// depends on the positions alone, not on the number of threads.
class Tree {
 public:
  void gravity(BodyArrays& bodies, const BodiesSettings& settings, ThreadPool& pool) {
    sortBodies(bodies, pool);
    build();
    const int blocks = (bodies.count + kBlockBodies - 1) / kBlockBodies;
    constexpr int kTaskBlocks = 8;
    pool.forEach((blocks + kTaskBlocks - 1) / kTaskBlocks, [&](int task) {
      std::vector<Moments> far;
      std::vector<std::array<int, 2>> near;
      for (int block = task * kTaskBlocks; block < std::min((task + 1) * kTaskBlocks, blocks); ++block)
        walk(bodies, settings, block * kBlockBodies, far, near);
    });
  }

 private:
  void sortBodies(const BodyArrays& b, ThreadPool& pool) {
    const auto count = static_cast<std::size_t>(b.count);
    float low[3], high[3];
    const std::vector<float>* axes[3] = {&b.x, &b.y, &b.z};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto [least, most] = std::ranges::minmax(*axes[axis]);
      low[axis] = least, high[axis] = most;
    }
    edge_ = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2], 1e-20f}) * 1.0001f;
    const float scale = float(1 << kLevels) / edge_;
    keys_.resize(count);
    const auto digit = [&](float value, float least) {
      return spread(static_cast<std::uint64_t>(std::clamp((value - least) * scale, 0.0f, float((1 << kLevels) - 1))));
    };
    // Merge sort: each thread sorts a run, then pairs of runs are merged.
    const int runs = std::min(pool.threads(), 64);
    const auto at = [&](int run) {
      return keys_.begin() +
             static_cast<std::ptrdiff_t>(count * static_cast<std::size_t>(run) / static_cast<std::size_t>(runs));
    };
    pool.forEach(runs, [&](int run) {
      for (auto key = at(run); key != at(run + 1); ++key) {
        const auto i = static_cast<std::size_t>(key - keys_.begin());
        *key = {digit(b.x[i], low[0]) | digit(b.y[i], low[1]) << 1 | digit(b.z[i], low[2]) << 2,
                static_cast<std::uint32_t>(i)};
      }
      std::sort(at(run), at(run + 1));
    });
    for (int width = 1; width < runs; width *= 2)
      pool.forEach((runs + 2 * width - 1) / (2 * width), [&](int pair) {
        const int first = pair * 2 * width;
        const int middle = std::min(first + width, runs), last = std::min(first + 2 * width, runs);
        std::inplace_merge(at(first), at(middle), at(last));
      });
    for (auto* array : {&x_, &y_, &z_, &mass_}) array->resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto from = static_cast<std::size_t>(keys_[i].body);
      x_[i] = b.x[from], y_[i] = b.y[from], z_[i] = b.z[from], mass_[i] = b.mass[from];
    }
  }

  void build() {
    cells_.clear();
    moments_.clear();
    add(0, static_cast<int>(keys_.size()), 0, edge_);
  }

  // Adds the cell of a range of bodies whose codes agree in the highest `level` digits, and its subtree.
  void add(int first, int last, int level, float edge) {
    const std::size_t self = cells_.size();
    cells_.push_back({first, last, 0, edge * edge});
    moments_.push_back({});
    if (last - first <= kLeafBodies || level == kLevels) {
      moments_[self] = momentsOfBodies(first, last);
    } else {
      const int shift = 3 * (kLevels - 1 - level);
      std::array<std::size_t, 8> children{};
      std::size_t count = 0;
      for (int from = first; from < last;) {
        const std::uint64_t end = ((keys_[static_cast<std::size_t>(from)].code >> shift) + 1) << shift;
        const auto to = std::lower_bound(keys_.begin() + from, keys_.begin() + last, end,
                                         [](const Key& key, std::uint64_t code) { return key.code < code; });
        children[count++] = cells_.size();
        add(from, static_cast<int>(to - keys_.begin()), level + 1, 0.5f * edge);
        from = static_cast<int>(to - keys_.begin());
      }
      moments_[self] = momentsOfCells(std::span(children).first(count));
    }
    cells_[self].next = static_cast<int>(cells_.size());
  }

  // Mass and first moments, in double precision.
  struct Sum {
    double mass = 0, x = 0, y = 0, z = 0;
    void add(double m, double px, double py, double pz) { mass += m, x += m * px, y += m * py, z += m * pz; }
    // Mass and centre of mass; the second moments are 0.
    Moments centre() const {
      const double inverse = mass > 0 ? 1 / mass : 0;
      Moments moments{};
      moments.x = float(x * inverse), moments.y = float(y * inverse), moments.z = float(z * inverse);
      moments.mass = float(mass);
      return moments;
    }
  };
  // Adds the second moments of a point mass at an offset from the centre.
  static void addOffset(Moments& to, float mass, float dx, float dy, float dz) {
    to.xx += mass * dx * dx, to.yy += mass * dy * dy, to.zz += mass * dz * dz;
    to.xy += mass * dx * dy, to.xz += mass * dx * dz, to.yz += mass * dy * dz;
  }

  Moments momentsOfBodies(int first, int last) const {
    Sum sum;
    const auto from = static_cast<std::size_t>(first), to = static_cast<std::size_t>(last);
    for (std::size_t i = from; i < to; ++i) sum.add(mass_[i], x_[i], y_[i], z_[i]);
    Moments moments = sum.centre();
    for (std::size_t i = from; i < to; ++i)
      addOffset(moments, mass_[i], x_[i] - moments.x, y_[i] - moments.y, z_[i] - moments.z);
    return moments;
  }

  // By the parallel axis theorem: moments of the children about their own centres, plus moments of their masses there.
  Moments momentsOfCells(std::span<const std::size_t> children) const {
    Sum sum;
    for (const std::size_t child : children) {
      const Moments& c = moments_[child];
      sum.add(c.mass, c.x, c.y, c.z);
    }
    Moments moments = sum.centre();
    for (const std::size_t child : children) {
      const Moments& c = moments_[child];
      addOffset(moments, c.mass, c.x - moments.x, c.y - moments.y, c.z - moments.z);
      moments.xx += c.xx, moments.yy += c.yy, moments.zz += c.zz;
      moments.xy += c.xy, moments.xz += c.xz, moments.yz += c.yz;
    }
    return moments;
  }

  // Computes the gravity on the block of bodies from `first` on. Collects the multipoles of the far cells in `far` and
  // the ranges of bodies of the near leaves in `near`: a cell is far if its edge is less than the opening angle times
  // its distance from the bounding box of the block.
  void walk(BodyArrays& b, const BodiesSettings& settings, int first, std::vector<Moments>& far,
            std::vector<std::array<int, 2>>& near) const {
    const Sources sources{x_.data(), y_.data(), z_.data(), mass_.data()};
    Block block = blockOf(sources, static_cast<std::size_t>(first), keys_.size());
    float low[3], high[3];
    const Block::Lanes* axes[3] = {&block.x, &block.y, &block.z};
    for (int axis = 0; axis < 3; ++axis) {
      const auto [least, most] = std::ranges::minmax(*axes[axis]);
      low[axis] = least, high[axis] = most;
    }
    const float angle2 = settings.openingAngle * settings.openingAngle;
    far.clear();
    near.clear();
    for (std::size_t i = 0; i < cells_.size();) {
      const Cell& cell = cells_[i];
      const Moments& moments = moments_[i];
      const float centre[3] = {moments.x, moments.y, moments.z};
      float distance2 = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const float apart = std::max({low[axis] - centre[axis], centre[axis] - high[axis], 0.0f});
        distance2 += apart * apart;
      }
      if (cell.sizeSquared < angle2 * distance2) {
        far.push_back(moments);
        i = static_cast<std::size_t>(cell.next);
      } else if (cell.next == static_cast<int>(i) + 1) {
        if (!near.empty() && near.back()[1] == cell.first)
          near.back()[1] = cell.last;
        else
          near.push_back({cell.first, cell.last});
        ++i;
      } else {
        ++i;
      }
    }
    const float softening2 = settings.softening * settings.softening;
    addCells(block, far.data(), static_cast<int>(far.size()), softening2);
    for (const auto& [from, to] : near) addBodies(block, sources, from, to, first, softening2);
    for (std::size_t lane = 0; lane < kBlockBodies; ++lane) {
      const auto sorted = static_cast<std::size_t>(first) + lane;
      if (sorted >= keys_.size()) return;
      const auto i = static_cast<std::size_t>(keys_[sorted].body);
      b.ax[i] = block.ax[lane], b.ay[i] = block.ay[lane], b.az[i] = block.az[lane];
      b.potential[i] = block.potential[lane];
    }
  }

  float edge_ = 0;
  std::vector<Key> keys_;
  std::vector<float> x_, y_, z_, mass_;  // in Morton order
  std::vector<Cell> cells_;              // each before its subtree
  std::vector<Moments> moments_;         // by cell
};

}  // namespace

CpuGravity treeGravity() {
  return [tree = std::make_shared<Tree>()](BodyArrays& bodies, const BodiesSettings& settings, ThreadPool& pool) {
    tree->gravity(bodies, settings, pool);
  };
}

std::unique_ptr<Solver> makeCpuTreeSolver(const BodiesSettings& settings) {
  constexpr double kPerBody = 500;  // interactions at the default opening angle, roughly
  return makeCpuSolver(settings.count, threadsFor(kPerBody * settings.count), "gravity", treeGravity());
}

}  // namespace satdof
