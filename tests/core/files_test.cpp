#include "app/core/files/files.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "app/core/files/file_identity.h"
#include "app/core/files/file_names.h"
#include "app/core/usage_error.h"
#include "app/io/image_file.h"
#include "tests/support/reason.h"
#include "tests/support/temporary_folder.h"

namespace satdof {
namespace {

namespace fs = std::filesystem;

std::string readFile(const fs::path& path) { return readWholeFile(path, 1 << 24); }

// An empty folder.
class Files : public testing::Test {
 protected:
  auto fileCount() const { return std::distance(fs::directory_iterator(folder_), {}); }

  const test::TemporaryFolder temporary_;
  const fs::path& folder_ = temporary_.path();
};

TEST_F(Files, AFileHasOneAbsolutePath) {
  const fs::path real = folder_ / "real/deep", link = folder_ / "link";
  fs::create_directories(real);
  fs::create_symlink(real, link);
  const fs::path file = fs::canonical(folder_) / "real/a.png";
  EXPECT_EQ(absolutePath(fs::canonical(folder_) / "./real//a.png"), file);
  EXPECT_EQ(absolutePath(real / "../a.png"), file);
  EXPECT_EQ(absolutePath(link / "../a.png"), file) << "the parent of the folder that the link names";
  EXPECT_EQ(absolutePath(real / "../.."), fs::canonical(folder_));
  EXPECT_EQ(absolutePath(link), fs::absolute(link)) << "a link keeps its name";
  EXPECT_EQ(absolutePath("a.png"), fs::current_path() / "a.png");
}

TEST_F(Files, NumberedNamesFollowTheHighestAndNeverOverwrite) {
  const fs::path path = folder_ / "satdof.png";
  const auto next = [&] {
    const fs::path written = writeNumbered(path, "bytes");
    EXPECT_EQ(readFile(written), "bytes");
    fs::remove(written);
    return written.filename().string();
  };
  const auto touch = [&](const char* name) { std::ofstream(folder_ / name) << 'x'; };
  EXPECT_EQ(next(), "satdof-0001.png");
  for (const char* name : {"satdof.png", "satdof-0003.hdr", "satdof-x.png", "satdof-12a.png", "other-0009.png",
                           "satdof--5.png", "satdof-.png"})
    touch(name);
  EXPECT_EQ(next(), "satdof-0001.png");
  touch("satdof-0001.png");
  touch("satdof-0007.png");
  EXPECT_EQ(next(), "satdof-0008.png");
  touch("satdof-9999.png");
  EXPECT_EQ(next(), "satdof-10000.png");
  touch("satdof-999999998.png");
  EXPECT_EQ(next(), "satdof-999999999.png");
  touch("satdof-999999999.png");
  EXPECT_THROW(next(), std::runtime_error);
  EXPECT_THROW(writeNumbered(folder_ / "missing" / "a.png", "bytes"), std::runtime_error);
}

// Other programs see a file only under its final name, which remains if the program is killed.
TEST_F(Files, ConcurrentRunsGetDifferentNumbersAndNobodySeesAPartOfAFile) {
  const std::string bytes(300000, 'x');
  std::vector<std::vector<fs::path>> written(8);
  std::atomic<bool> done = false;
  std::thread onlooker([&] {
    while (!done)
      for (const auto& entry : fs::directory_iterator(folder_))
        EXPECT_EQ(entry.file_size(), bytes.size()) << entry.path();
  });
  std::vector<std::thread> runs;
  for (auto& own : written)
    runs.emplace_back([&] {
      for (int i = 0; i < 20; ++i) own.push_back(writeNumbered(folder_ / "a.png", bytes));
    });
  for (auto& run : runs) run.join();
  done = true;
  onlooker.join();
  std::set<fs::path> all;
  for (const auto& own : written) all.insert(own.begin(), own.end());
  EXPECT_EQ(all.size(), 160u);
  EXPECT_EQ(fileCount(), 160);
}

TEST_F(Files, ReplacingKeepsTheAccessControlList) {
  constexpr const char* kName = "system.posix_acl_access";
  struct Entry {
    std::uint16_t tag, rights;
    std::uint32_t user;
  };
  // An access control list: owner and user 1 read and write; the group does not, although its mode bits, the mask,
  // allow it.
  const std::array<Entry, 5> entries{{{0x01, 6, ~0u}, {0x02, 6, 1}, {0x04, 0, ~0u}, {0x10, 6, ~0u}, {0x20, 0, ~0u}}};
  std::string list("\2\0\0\0", 4);
  list.append(reinterpret_cast<const char*>(entries.data()), sizeof entries);
  const fs::path file = folder_ / "file";
  writeWholeFile(file, "one");
  if (::setxattr(file.c_str(), kName, list.data(), list.size(), 0) != 0) GTEST_SKIP() << "no lists here";
  writeWholeFile(file, "two");
  std::string kept(1000, '\0');
  kept.resize(static_cast<std::size_t>(std::max<ssize_t>(::getxattr(file.c_str(), kName, kept.data(), 1000), 0)));
  EXPECT_EQ(kept, list);
}

TEST_F(Files, ClaimsOnANameExcludeOthersUnlessBothAreSharedWithTheSame) {
  const fs::path name = folder_ / "a.png";
  const auto refused = [&](const std::optional<std::string>& sharedWith) {
    return test::reasonOf([&] { const NameClaim claim(name, sharedWith); }) != "accepted";
  };
  {
    const NameClaim claim(name), other(folder_ / "b.png");
    EXPECT_TRUE(refused({}));
    EXPECT_TRUE(refused("f/2"));
  }
  {
    const NameClaim claim(name, "f/2"), second(name, "f/2");
    EXPECT_TRUE(refused({}));
    EXPECT_TRUE(refused("f/4"));
    EXPECT_TRUE(refused("f/8"));
    EXPECT_FALSE(refused("f/2"));
  }
  EXPECT_FALSE(refused({}));
  EXPECT_NO_THROW(NameClaim(folder_ / "missing" / "a.png")) << "writing tells";
  EXPECT_EQ(fileCount(), 0);
}

TEST_F(Files, ANumberThatIsTakenInBetweenIsLeftAlone) {
  const NextName next = numberedNames(folder_ / "a.mp4");
  writeWholeFile(folder_ / "a-0001.mp4", "another program's");
  fs::create_symlink("nowhere", folder_ / "a-0002.mp4");
  PendingFile file(folder_);
  EXPECT_EQ(::write(file.descriptor(), "film", 4), 4);
  EXPECT_EQ(file.take(next), folder_ / "a-0003.mp4");
  EXPECT_EQ(readFile(folder_ / "a-0003.mp4"), "film");
  EXPECT_EQ(readFile(folder_ / "a-0001.mp4"), "another program's");
  EXPECT_EQ(fileCount(), 3);
}

TEST_F(Files, AFileThatIsShownChangesItsNameOrGoes) {
  const NextName part = numberedNames(folder_ / "part.mp4");
  writeWholeFile(folder_ / "film.mp4", "old");
  {
    PendingFile file(folder_);
    file.show(part);
    EXPECT_EQ(::write(file.descriptor(), "film", 4), 4);
    EXPECT_EQ(readFile(folder_ / "part-0001.mp4"), "film");
    PendingFile unused(folder_);
    unused.show(numberedNames(folder_ / "part.mp4"));
    EXPECT_TRUE(fs::exists(folder_ / "part-0002.mp4"));
    file.replace(folder_ / "film.mp4");
  }
  EXPECT_EQ(readFile(folder_ / "film.mp4"), "film");
  PendingFile file(folder_);
  file.show(part);
  EXPECT_EQ(file.take(numberedNames(folder_ / "film.mp4")), folder_ / "film-0001.mp4");
  EXPECT_EQ(fileCount(), 3) << "with the name that the destructor removes";
}

TEST_F(Files, ReplacingKeepsLinksAndPermissions) {
  const fs::path file = folder_ / "file", soft = folder_ / "soft", hard = folder_ / "hard";
  writeWholeFile(file, "one");
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("file", soft);
  writeWholeFile(soft, "two");
  EXPECT_TRUE(fs::is_symlink(soft));
  EXPECT_EQ(readFile(file), "two");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);

  fs::create_hard_link(file, hard);
  writeWholeFile(hard, "three, longer");
  writeWholeFile(hard, "four");
  EXPECT_EQ(readFile(file), "four");
  EXPECT_EQ(fs::hard_link_count(file), 2u);
  for (const std::string text : {"the fifth", "6", ""}) {
    PendingFile pending(folder_);
    EXPECT_EQ(::write(pending.descriptor(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
    pending.replace(hard);
    EXPECT_EQ(readFile(file), text);
    EXPECT_EQ(fs::hard_link_count(file), 2u);
  }

  fs::create_symlink("later", folder_ / "dangling");
  writeWholeFile(folder_ / "dangling", "five");
  EXPECT_EQ(readFile(folder_ / "later"), "five");
  fs::create_symlink("loop", folder_ / "loop");
  EXPECT_THROW(writeWholeFile(folder_ / "loop", "six"), std::runtime_error);
  EXPECT_EQ(fileCount(), 6);
}

TEST_F(Files, ALinkHasTheIdentityOfItsTargetEvenBeforeThatExists) {
  fs::create_directory(folder_ / "in");
  fs::create_symlink("later", folder_ / "link");
  fs::create_symlink("../link", folder_ / "in/second");
  fs::create_symlink("loop", folder_ / "loop");
  const auto equal = [&] {
    const std::string later = fileIdentity(folder_ / "later");
    EXPECT_EQ(fileIdentity(folder_ / "link"), later);
    EXPECT_EQ(fileIdentity(folder_ / "in/second"), later);
    EXPECT_NE(fileIdentity(folder_ / "other"), later);
    EXPECT_NE(fileIdentity(folder_ / "loop"), later);
  };
  equal();
  std::ofstream(folder_ / "later") << "now";
  equal();
}

TEST_F(Files, AnotherFileOfEqualSizeAndTimeHasAnotherState) {
  const fs::path path = folder_ / "film", other = folder_ / "other";
  std::ofstream(path) << "one";
  std::ofstream(other) << "two";
  const auto time = fs::last_write_time(path);
  fs::last_write_time(other, time);
  const std::string state = fileState(path);
  readFile(path);
  EXPECT_EQ(fileState(path), state);
  fs::rename(other, path);
  const std::string replaced = fileState(path);
  EXPECT_NE(replaced, state);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // a tick of the kernel's clock
  std::ofstream(path) << "ten";
  fs::last_write_time(path, time);
  EXPECT_NE(fileState(path), replaced);
}

TEST_F(Files, OnlyOrdinaryFilesAreReadAndReplaced) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const fs::path& path : {pipe, fs::path("/dev/null"), fs::path("/dev/zero"), folder_}) {
    EXPECT_THROW(writeWholeFile(path, "x"), std::runtime_error) << path;
    EXPECT_THROW(readWholeFile(path, 10), std::runtime_error) << path;
  }
  EXPECT_TRUE(fs::is_fifo(pipe));
  writeWholeFile(folder_ / "ten", "0123456789");
  EXPECT_EQ(readWholeFile(folder_ / "ten", 10), "0123456789");
  EXPECT_THROW(readWholeFile(folder_ / "ten", 9), std::runtime_error);
  EXPECT_EQ(readFileHead(folder_ / "ten", 3), "012");
  EXPECT_THROW(readFileHead(folder_ / "missing", 3), std::runtime_error);
}

TEST_F(Files, ANameOfFullLengthCanBeWritten) {
  const fs::path path = folder_ / std::string(255, 'n');
  requireWritable(path);
  writeWholeFile(path, "x");
  EXPECT_EQ(readFile(path), "x");
  EXPECT_THROW(requireWritable(folder_ / std::string(256, 'n')), UsageError);
}

TEST_F(Files, NamesThatNoFileCanHaveAreDifferent) {
  const std::string tooLong(300, 'a');
  EXPECT_NE(fileIdentity(folder_ / (tooLong + ".png")), fileIdentity(folder_ / (tooLong + ".exr")));
}

TEST_F(Files, FilesAreWrittenWholeOrNotAtAll) {
  const fs::path path = folder_ / "out.bin";
  writeWholeFile(path, "first");
  writeWholeFile(path, std::string(100000, 'a'));
  EXPECT_EQ(readFile(path), std::string(100000, 'a'));
  EXPECT_EQ(fileCount(), 1);

  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{1000, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  EXPECT_THROW(writeWholeFile(path, std::string(200000, 'b')), std::runtime_error);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(readFile(path), std::string(100000, 'a'));
  EXPECT_EQ(fileCount(), 1);

  EXPECT_THROW(writeWholeFile(folder_ / "missing" / "out.bin", "x"), std::runtime_error);
  EXPECT_THROW(writeWholeFile(folder_, "x"), std::runtime_error);
  EXPECT_EQ(fileCount(), 1);
}

TEST_F(Files, ReadOnlyFilesStay) {
  const fs::path file = folder_ / "file";
  writeWholeFile(file, "old");
  fs::permissions(file, fs::perms::owner_read | fs::perms::group_read);
  EXPECT_THROW(requireWritable(file), UsageError);
  EXPECT_THROW(writeWholeFile(file, "new"), std::runtime_error);
  PendingFile pending(folder_);
  EXPECT_THROW(pending.replace(file), std::runtime_error);
  EXPECT_EQ(readFile(file), "old");
}

TEST_F(Files, WritablePathsAreFoundWithoutLeavingAnything) {
  requireWritable(folder_ / "new.json");
  EXPECT_EQ(fileCount(), 0);
  writeWholeFile(folder_ / "old.json", "old");
  requireWritable(folder_ / "old.json");
  EXPECT_EQ(readFile(folder_ / "old.json"), "old");
  for (const fs::path& path : {folder_, folder_ / "missing" / "a", folder_ / "old.json" / "a", fs::path("/dev/null"),
                               fs::path(""), folder_ / "", folder_ / std::string(300, 'n')})
    EXPECT_THROW(requireWritable(path), UsageError) << path;
  EXPECT_EQ(fileCount(), 1);
}

}  // namespace
}  // namespace satdof
