#include <charconv>
#include <cstdio>
#include <exception>

#include "app/core/usage_error.h"
#include "app/trace/cuda.h"
#include "app/trace/files.h"
#include "bench/bench.h"

namespace satdof::bench {

namespace {

template <class Number>
Number parsed(const std::string& option, const std::string& text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw UsageError(option + " " + text + ": expected an integer");
  return value;
}

trace::Request requestOf(std::span<char*> arguments) {
  trace::Request request;
  if (arguments.size() % 2 == 0) throw UsageError("--kernel: each option needs a value");
  request.kernel = arguments[0];
  for (std::size_t i = 1; i < arguments.size(); i += 2) {
    const std::string option = arguments[i], value = arguments[i + 1];
    if (option == "--elements")
      request.elements = parsed<unsigned>(option, value);
    else if (option == "--block-size")
      request.blockSize = parsed<int>(option, value);
    else if (option == "--data")
      trace::useData(request, value);
    else
      throw UsageError("unknown option " + option + ": expected --elements, --block-size or --data");
  }
  trace::requireValid(request, trace::kMaxCounted);
  return request;
}

}  // namespace

int runKernel(std::span<char*> arguments) {
  try {
    const trace::Request request = requestOf(arguments);
    const auto job = on_cuda::makeJob(request, trace::inputOf(request));
    job->run();
    std::printf("%s: %zu words\n", request.kernel.c_str(), job->result().size());
    return 0;
  } catch (const UsageError& error) {
    std::fprintf(stderr, "satdof_bench: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "satdof_bench: %s\n", error.what());
    return 1;
  }
}

}  // namespace satdof::bench
