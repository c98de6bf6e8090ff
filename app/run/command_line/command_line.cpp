#include "app/run/command_line/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <type_traits>

#include "app/core/field_json.h"
#include "app/core/fields.h"
#include "app/core/files/file_names.h"
#include "app/core/files/files.h"
#include "app/core/files/video_formats.h"
#include "app/core/settings_json.h"
#include "app/core/text/count_text.h"
#include "app/core/text/foreign_text.h"
#include "app/core/text/number.h"
#include "app/core/usage_error.h"
#include "app/io/codec.h"
#include "app/io/settings_file.h"
#include "app/io/shot_file.h"
#include "app/lab/experiment.h"
#include "app/lab/files.h"
#include "app/lens/presets.h"
#include "app/run/command_line/completion.h"
#include "app/run/film/video.h"
#include "app/run/frame_loop.h"
#include "app/run/system/depth_command.h"
#include "app/scene/model/reader.h"
#include "app/scene/registry.h"
#include "app/scene/scene.h"
#include "app/trace/files.h"

namespace satdof {

namespace {

// A pull of the focus from A to B metres within one second, from "focus=A:B".
Shot focusPull(const std::string& where, const std::string& text) {
  constexpr std::string_view kKey = "focus=";
  const std::string refusal = where + " " + excerpt(text) + ": expected true, false or focus=A:B, in metres";
  const auto colon = text.find(':');
  if (!text.starts_with(kKey) || colon == text.npos) throw UsageError(refusal);
  const auto key = [&](double timeS, const std::string& part) {
    Settings settings;
    try {
      applyOption(settings, "--focus", part);
    } catch (const UsageError& error) {
      throw UsageError(refusal + "; " + error.what());
    }
    return Key{.timeS = timeS, .value = settings.lens.focusDistanceM, .easing = Easing::linear};
  };
  return {.tracks = {{.field = "lens.focusDistanceM",
                      .keys = {key(0, text.substr(kKey.size(), colon - kKey.size())), key(1, text.substr(colon + 1))}}},
          .camera = {}};
}

// Makes the pull the shot of the run. Throws UsageError if there is a shot already.
void addPull(CommandLine& line, const Shot& pull) {
  if (line.shot || !line.shotPath.empty())
    throw UsageError("--shot --animate focus=A:B: each is a shot; leave one option out");
  line.shot = pull;
  line.pullsFocus = true;
}

// What --help shows as the type of a value.
const char* typeName(float) { return "X"; }
const char* typeName(int) { return "N"; }
const char* typeName(const MaskName&) { return "NAME|FILE"; }
const char* typeName(glm::ivec2) { return "WIDTHxHEIGHT"; }
template <class E>
requires std::is_enum_v<E>
const char* typeName(E) { return "NAME"; }

// Parses "X,Y", 0 to 1 from the top left. Returns it from the bottom left.
glm::vec2 parsePlace(const std::string& where, const std::string& text) {
  const auto comma = text.find(',');
  if (comma == text.npos) throw UsageError(where + " " + excerpt(text) + ": expected X,Y, each from 0 to 1");
  return {parseFloat(where, text.substr(0, comma), 0, 1), 1.0f - parseFloat(where, text.substr(comma + 1), 0, 1)};
}

template <Content content>
std::string extensionsWith() {
  return codecExtensions([](const Codec& codec) { return codec.isWritten() && codec.content == content; }, "or");
}

// "8 or 16 in PNG, 16 or 32 in EXR, ..."
std::string bitDepths() {
  std::string text;
  for (const Codec& codec : codecs()) {
    if (codec.choices.size() < 2) continue;
    if (!text.empty()) text += ", ";
    text += codec.bitDepths() + " in " + codec.name;
  }
  return text;
}

// "no-gps: ...; all: ..."
std::string keepHelp() {
  std::string text;
  for (const auto& entry : entries(KeepMetadata{}))
    text += std::string(text.empty() ? "" : "; ") + entry.name + ": " + entry.summary;
  return text;
}

class Parser {
 public:
  Parser() {
    app_.set_help_flag();
    app_.allow_extras();
    app_.get_formatter()->column_width(36);

    // In the order of --help.
    addModes();
    addInputs();
    addFrames();
    addOutputFormats();
    addMeasurements();
    addTrace();
    addFields();
  }

  CommandLine parse(int argc, const char* const* argv) {
    line_ = {};
    try {
      app_.parse(argc, argv);
    } catch (const CLI::Error& error) {
      throw UsageError(error.what());
    }
    for (const auto& extra : app_.remaining()) {
      if (extra.starts_with('-') || !isThere(extra)) throw UsageError(complaint(extra));
      line_.opened.emplace_back(extra);
    }
    for (const auto& [option, use] : known_)
      if (option->count() > 0) use(option->results().back());
    return line_;
  }

  std::string help() const { return app_.help(); }

 private:
  using Use = std::function<void(const std::string& text)>;

  void addModes() {
    CommandLine& line = line_;
    flag("-h,--help", "print this help and exit", line.help);
    flag("--version", "print the version and exit", line.version);
    flag("--list", "print every device, scan, table format, lens and view, with its availability, and exit", line.list);
    flag("--formats", "print what is read of each format of images and models, as Markdown, and exit", line.formats);
    flag("--inputs", "print a hash of this program and the files that it would read and write, as JSON, and exit",
         line.inputs);
    flag("--headless", "render without a window or a display", line.headless);
    flag("--fresh", "start with the default settings, not with the settings of the last window; store none",
         line.fresh);
    flag("--gl-debug", "check every OpenGL call; exit with status 1 on an error", line.glDebug);
    flag("--with-ui", "include the panels in captures (only in a window)", line.withUi);
  }

  void addInputs() {
    CommandLine& line = line_;
    value("--settings", "FILE",
          "read settings from a JSON file or a captured " + namesWithText() + "; options override them",
          path(line.settingsPath));
    value("--lens-preset", "NAME|FILE",
          "the aperture and optics of another lens, at the same focal length: --list names them; FILE is a "
          ".json, or a prescription, a .txt with a line for each surface; options override it",
          [&](const std::string& text) {
            Settings checked;
            addNotes(line.notes, applyLensPreset(checked, text));
            line.lensPreset = text;
          });
    value("--save-lens", "FILE", "write the lens of these settings as a .json file for --lens-preset, and exit",
          path(line.saveLens));
    value("--depth-command", "'TOOL {image} {depth}'",
          "a program that estimates the depth of a photograph without depth: writes {depth}, a .png, or "
          "{depth.pfm}; its result is kept in the cache of the user",
          [&](const std::string& text) {
            depthCommand("--depth-command", text);
            line.depthCommand = text;
          });
  }

  void addFrames() {
    CommandLine& line = line_;
    number("--frames", "N", "render N frames, write the requested files and exit (headless: 1)", 1, kMaxFrames,
           line.frames);
    number("--fps", "X", "frame rate of the animation: a fixed step of 1/X seconds (headless: 60)", 0.001, 100000,
           line.framesPerSecond);
    value("--capture", "FILE",
          "write the last frame: " + extensionsWith<Content::displayed>() +
              "; linear light: " + extensionsWith<Content::light>() +
              "; with depth and circle of confusion: " + extensionsWith<Content::channels>(),
          path(line.capture));
    value("--sequence", "FILE", "write every frame to a numbered file: image-0001.png, ... for image.png",
          path(line.sequence));
    number("--first", "N", "draw the frames from number N of --frames on, named and equal as in one long run", 1,
           kMaxFrames, line.first);
    number("--last", "N", "draw the frames up to number N of --frames", 1, kMaxFrames, line.last);
    flag("--resume",
         "keep the frames of --sequence that are on the disk, whole and of the same settings; draw the others",
         line.resume);
    number("--shutter-angle", "DEG",
           "motion blur of --sequence and --video: the shutter is open for DEG of 360 parts of a frame's "
           "time; 0: off",
           0, 360, line.shutter.angleDegrees);
    number("--shutter-samples", "N", "images of that time, of which a frame is the mean (16)", 1, Shutter::kMaxSamples,
           line.shutter.samples);
    value("--video", "FILE", "write every frame to a video by ffmpeg: " + videoOutputNames(), path(line.video));
    value("--shot", "FILE",
          "change settings and camera with time, by the keys of a JSON file; camera_path.json of instant-ngp "
          "and nerfstudio, or the camera of a model that moves, too. Without --frames, --sequence and "
          "--video draw all of it, and a window opens its timeline",
          [&](const std::string& text) {
            line.shotPath = text;
            if (!isModelFile(text)) line.shot = readShot(text, line.notes, &line.shotText);
          });
    number("--memory", "MIB",
           "memory that images may take; a --capture that needs more is drawn in tiles (headless: what is free)", 1,
           1 << 24, line.memoryMiB);
  }

  void addOutputFormats() {
    CommandLine& line = line_;
    value("--bit-depth", "N", "bits per channel: " + bitDepths(), [&](const std::string& text) {
      if (text != "8" && text != "16" && text != "32")
        throw UsageError("--bit-depth " + excerpt(text) + ": expected 8, 16 or 32");
      line.bitDepth = *numberInText<int>(text);
    });
    number("--quality", "N", "of a JPEG, 1 to 100: larger files have fewer losses (92)", 1, 100, line.quality);
    value("--keep-metadata", "NAME", "what images keep of the EXIF data of their photograph (no-gps): " + keepHelp(),
          [&](const std::string& text) { line.keep = json::parsed<KeepMetadata>("--keep-metadata", {}, text); });
    value("--export", "NAMES",
          "write the layers before the lens beside each image, as image-depth.exr for image.exr: colour, "
          "depth, coc, separated by commas",
          [&](const std::string& text) { line.layers = parseLayers("--export", text); });
    value("--focus-at", "X,Y",
          "focus on this place of the image, bars beside it left out: 0 to 1 from the left and from the top "
          "(headless only)",
          [&](const std::string& text) { line.focusAt = parsePlace("--focus-at", text); });
  }

  void addMeasurements() {
    CommandLine& line = line_;
    value("--stats", "FILE", "write machine, settings and stage times as JSON; - is standard output", path(line.stats));

    value("--compare", "LENS",
          "print PSNR and SSIM of the last frame against this lens; --stats contains them, --capture writes "
          "both images",
          [&](const std::string& text) { line.compare = json::parsed<LensKind>("--compare", {}, text); });

    value("--lab", "FILE",
          "run the experiments of the laboratory, without a window: .json, .csv, or plots as .svg or .png",
          path(line.lab));
    value("--lab-only", "NAMES",
          "experiments of --lab, separated by commas; curves: all by size; figures: all that reproduce a "
          "published figure (--list names them)",
          [&](const std::string& text) {
            lab::selectExperiments(text);
            line.labOnly = text;
          });
    value("--lab-from", "FILE", "read the results from a JSON file of --lab or --share instead of measuring",
          [&](const std::string& text) {
            line.labFrom = lab::readResults(text);
            line.labFromPath = text;
          });
    value("--lab-timed", "NAME", "times in the plots of --lab: kernel, or end-to-end with launch and copies",
          [&](const std::string& text) { line.labTimed = json::parsed<lab::Timed>("--lab-timed", {}, text); });
    value("--share", "FILE",
          "measure this machine for at most two minutes; write hardware, drivers and times as JSON to post",
          path(line.share));
  }

  void addTrace() {
    CommandLine& line = line_;
    value("--trace", "FILE",
          "run a kernel on the processor, access by access, without a window: .json with the steps of small "
          "sizes, .csv with the counts, .svg with a drawing, .mp4, .mkv or .webm with a film (--fps)",
          path(line.trace));
    value("--kernel", "NAME", "kernel of --trace (--list names them)",
          [&](const std::string& text) { line.traceOf.kernel = trace::kernelNamed(text).name; });
    value("--what-if", "NAME", "mistake or older hardware that --trace shows, with its price (--list names them)",
          [&](const std::string& text) { line.traceOf.whatIf = trace::whatIfNamed(text).value; });
    number("--elements", "N", "elements of --trace (64)", 1, trace::kMaxCounted, line.traceOf.elements);
    number("--resident-blocks", "N", "blocks of --trace that run at once, in turns: 1 to 8 (1)", 1, trace::kMaxResident,
           line.traceOf.residentBlocks);
    value("--data", "NAME|FILE", "input of --trace: ones, ramp, random, or a text file of numbers",
          [&](const std::string& text) {
            trace::useData(line.traceOf, text);
            if (!line.traceOf.fileValues.empty()) line.traceData = text;
          });
  }

  // Adds an option for each setting that has one.
  void addFields() {
    CommandLine& line = line_;
    const Settings defaults;
    describe(defaults, [&]<class T>(const Field& field, const T& initial) {
      if (field.flag == nullptr) return;
      const std::string option = field.option(), key = field.path();
      const auto use = [&line, option](const std::string& text) { line.options.emplace_back(option, text); };
      const std::string section = key.substr(0, key.find('.'));
      const std::string help = std::string(field.help) + " (" + optionRange(option) + ")";
      if constexpr (std::is_same_v<T, bool>) {
        if (option == "--animate")
          addSweep(option, help, use, line)->group(section);
        else
          addFlag(option, help, use)->group(section);
        addOpposite(option, use)->group(section);
      } else if constexpr (std::is_same_v<T, FilePath>) {
        if (key.starts_with("scene."))
          files(option, help + "; several files or a folder: a batch", line)->group(section);
        else
          value(option, "FILE", help, use)->group(section);
      } else {
        value(option, typeName(initial), help, use)->group(section);
      }
    });
  }

  CLI::Option* add(CLI::Option* option, Use use) {
    known_.emplace_back(option, std::move(use));
    return option->take_last();
  }

  CLI::Option* addFlag(const std::string& name, const std::string& help, Use use) {
    return add(app_.add_flag(name, help), std::move(use));
  }

  // Adds --no-OPTION.
  CLI::Option* addOpposite(const std::string& option, const Use& use) {
    const std::string opposite = "--no-" + option.substr(2);
    return addFlag(opposite, "the opposite",
                   [use, opposite](const std::string& text) { use(parseBool(opposite, text) ? "false" : "true"); });
  }

  void flag(const std::string& name, const std::string& help, bool& target) {
    addFlag(name, help, [name, &target](const std::string& text) { target = parseBool(name, text); });
  }

  // Adds a flag that also accepts focus=A:B, see focusPull().
  CLI::Option* addSweep(const std::string& name, const std::string& help, Use use, CommandLine& line) {
    const std::string both = help + "; focus=A:B moves the focus from A to B metres over --frames";
    return add(app_.add_option(name, CLI::callback_t{}, both)->type_name("[focus=A:B]")->expected(0, 1),
               [name, use = std::move(use), &line](const std::string& text) {
                 if (text.empty() || text == "true" || text == "false")
                   use(text.empty() ? "true" : text);
                 else
                   addPull(line, focusPull(name, text));
               });
  }

  // Adds an option of one or more files of the scene.
  CLI::Option* files(const std::string& name, const std::string& help, CommandLine& line) {
    CLI::Option* const option = app_.add_option(name, CLI::callback_t{}, help)
                                    ->type_name("FILE")
                                    ->expected(1, kMaxFiles)
                                    ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    known_.emplace_back(option, [name, option, &line](const std::string&) {
      const std::vector<std::string>& given = option->results();
      for (const std::string& text : given)
        if (text.empty() || text.starts_with("--"))
          throw UsageError(name + ": the value is missing; --help describes it");
      line.options.emplace_back(name, given.front());
      line.files.emplace_back(name, given);
    });
    return option;
  }

  CLI::Option* value(const std::string& name, const char* type, const std::string& help, Use use) {
    return add(app_.add_option(name, CLI::callback_t{}, help)->type_name(type)->expected(1),
               [name, use = std::move(use)](const std::string& text) {
                 if (text.empty() || text.starts_with("--"))
                   throw UsageError(name + ": the value is missing; --help describes it");
                 use(text);
               });
  }

  template <class T>
  void number(const std::string& name, const char* type, const std::string& help, double min, double max, T& target) {
    value(name, type, help, [=, &target](const std::string& text) {
      if constexpr (std::is_floating_point_v<T>)
        target = parseFloat(name, text, min, max);
      else
        target = static_cast<T>(parseInt(name, text, static_cast<int>(min), static_cast<int>(max)));
    });
  }

  // The error message for an argument that is no option and no file.
  std::string complaint(const std::string& extra) const {
    if (!extra.starts_with('-'))
      return "unexpected argument " + extra + ": there is no such file; --help lists the options";
    std::vector<std::string> names;
    for (const auto& entry : known_) names.push_back(entry.first->get_name());
    return "unknown option " + extra + "; did you mean " + nearest(extra.substr(0, extra.find('=')), names) +
           "? --help lists them all";
  }

  static Use path(std::filesystem::path& target) {
    return [&target](const std::string& text) { target = text; };
  }

  static constexpr int kMaxFiles = 1 << 20;
  CLI::App app_{"Depth of field by summed-area tables. satdof FILE... opens files in a window.", "satdof"};
  std::vector<std::pair<CLI::Option*, Use>> known_;  // options, and what takes their value
  CommandLine line_;
};

// Made once a thread: adding the options takes far longer than parsing a command line.
Parser& parser() {
  static thread_local Parser instance;
  return instance;
}

}  // namespace

Settings CommandLine::settings(Settings base) const {
  if (!settingsPath.empty()) {
    applySettingsFile(base, settingsJson, settingsPath);
    if (findsCorrection) base.scene.image = withReading(base.scene.image, {});
  }
  if (!lensPreset.empty()) {
    for (const auto& [option, text] : options)
      if (option == "--focal-length") applyOption(base, option, text);
    applyLensPreset(base, lensPreset);
  }
  for (const auto& [option, text] : options) applyOption(base, option, text);
  // The option of a file selects its scene, unless --scene chooses one.
  for (const auto& [option, text] : options)
    if (option == "--scene") applyOption(base, option, text);
  if (!base.scene.frame || given("--frame")) base.scene.typed.paths.clear();
  if (base.scene.frame && !given("--frame"))
    describe(base, [&](const Field& field, const auto&) {
      if (isFramed(field) && given(field.option())) base.scene.typed.add(field.path());
    });
  return base;
}

float CommandLine::rate() const { return framesPerSecond > 0 ? framesPerSecond : kDefaultFramesPerSecond; }

bool CommandLine::given(std::string_view option) const {
  return std::ranges::any_of(options, [&](const auto& each) { return each.first == option; });
}

bool CommandLine::debugContext() const {
#ifdef NDEBUG
  return glDebug;
#else
  return true;
#endif
}

CommandLine parse(int argc, const char* const* argv) {
  CommandLine line = parser().parse(argc, argv);
  if (!line.help && !line.version) complete(line);
  return line;
}

CommandLine parseSettings(int argc, const char* const* argv) {
  CommandLine line = parser().parse(argc, argv);
  completeSettings(line);
  return line;
}

std::string helpText() { return parser().help(); }

}  // namespace satdof
