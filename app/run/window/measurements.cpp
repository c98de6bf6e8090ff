#include "app/run/window/measurements.h"

#include <algorithm>
#include <utility>

#include "app/core/files/file_timeout.h"
#include "app/io/image_file.h"
#include "app/lab/experiment.h"
#include "app/lab/files.h"
#include "app/lab/machine.h"
#include "app/run/window/files/saving.h"

namespace satdof {

namespace {

constexpr double kLabFrameUs = 1e4;  // of measurements a frame; one sample may take longer
constexpr lab::Budget kLabBudget{.pointUs = 5e4, .sampleUs = 1e5};

}  // namespace

void Measurements::advance(Session& session) {
  LabPanel& panel = session.lab;
  if (!panel.shown) panel.running = false;
  if (panel.shown && !lab_) openLab(session);
  if (!lab_) return;
  if (!panel.running)
    lab_->cancel();
  else if (!lab_->running())
    lab_->start(panel.experiment);
  lab_->advance(kLabFrameUs);
  panel.running = lab_->running();
  countNextKernel(panel);
}

void Measurements::countNextKernel(const LabPanel& panel) {
  counting_ = false;
  if (!panel.shown || !trace::unavailable().empty()) return;
  const lab::Experiment& experiment = lab_->experiments()[panel.experiment];
  for (const lab::Curve& curve : lab_->result(panel.experiment).curves) {
    const trace::Kernel* const kernel = trace::kernelOfCurve(experiment.kernels, curve.name);
    if (kernel == nullptr || std::ranges::find(costs_, kernel->name, &trace::Costs::kernel) != costs_.end()) continue;
    costs_.push_back(trace::costsOf(kernel->name));
    counting_ = true;
    return;
  }
}

void Measurements::openLab(Session& session) {
  auto experiments = lab::experiments();
  session.attempt("laboratory", [&] { lab::addStored(experiments, lab::storedResults()); });
  lab_.emplace(std::move(experiments), kLabBudget, lab::Runner::wallClockUs, lab::machineAndVersions());
}

void Measurements::save(Session& session, const std::string& extension) const {
  if (!lab_) return;
  session.attempt("laboratory", [&] {
    const std::filesystem::path name = "satdof-lab" + extension;
    lab::Results results{lab_->machine(), {shownResult(lab_->result(session.lab.experiment), session.lab)}};
    results.context.emplace_back("command", "satdof, Laboratory");
    results.context.emplace_back("origin", "measured by satdof between frames");
    const std::string bytes = lab::encode(lab::fileFormat(name), results, session.lab.plot);
    tellWritten(session, name, writeWithTimeout(name, [=] { return writeNumbered(name, bytes); }));
  });
}

}  // namespace satdof
