#include "app/core/system/abandon.h"

#include <utility>

namespace satdof {

namespace {

thread_local std::function<bool()> abandonWanted;
thread_local const LongWork* work = nullptr;

void throwIfWanted() {
  if (abandonWanted && abandonWanted()) throw FrameAbandoned();
}

}  // namespace

AbandonFramesScope::AbandonFramesScope(std::function<bool()> wanted) { abandonWanted = std::move(wanted); }

AbandonFramesScope::~AbandonFramesScope() { abandonWanted = nullptr; }

void throwIfAbandoned() {
  if (work == nullptr) throwIfWanted();
}

LongWork::LongWork(const char* name) : name_(name) { work = this; }

LongWork::~LongWork() { work = nullptr; }

void LongWork::reportProgress(float part) {
  part_ = part;
  throwIfWanted();
}

const LongWork* LongWork::current() { return work; }

}  // namespace satdof
