#pragma once

namespace satdof {

// Decides when a window may stop drawing: some frames and some time after the last change, because panels follow a
// change over several frames.
class RestTimer {
 public:
  // Call once before each frame. `changed`: the next frame may differ from the last one. `draws`: frames drawn so far.
  void update(bool changed, long draws, double nowS) {
    constexpr double kSettleS = 0.7;
    constexpr long kSettleDraws = 3;
    if (changed) {
      changeS_ = nowS;
      changeDraws_ = draws;
    }
    settled_ = nowS - changeS_ > kSettleS && draws - changeDraws_ > kSettleDraws;
  }
  bool settled() const { return settled_; }

 private:
  double changeS_ = 0.0;
  long changeDraws_ = 0;
  bool settled_ = false;
};

}  // namespace satdof
