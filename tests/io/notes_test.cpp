#include "app/io/notes.h"

#include <gmock/gmock.h>

namespace satdof {
namespace {

TEST(Notes, AreOneLineEachAndNeverTwice) {
  Notes notes;
  for (const char* text : {"a\nb", "a\nb", "c\x1b[0m"}) addNote(notes, text);
  EXPECT_THAT(notes, testing::ElementsAre("a b", "c\\x1b[0m"));
  EXPECT_THAT(inFile("x.png", notes), testing::ElementsAre("x.png: a b", "x.png: c\\x1b[0m"));
}

TEST(Notes, ShowTheNameOfAFileWithoutItsFolder) {
  for (const auto& [path, name] :
       {std::pair{"f/x.png", "x.png"}, std::pair{"f/a\nb\x1b[m.png", "a\\nb\\u001b[m.png"},
        std::pair{"/home/me: it/x.png", "x.png"}, std::pair{"f/a: /b", "b"}, std::pair{"f/a: b.png", "a:\\x20b.png"}})
    EXPECT_EQ(withoutFolder(inFile(path, {"2 / 3: a note"}).front()), std::string(name) + ": 2 / 3: a note");
  for (const char* const folder : {"", "/home/", "f: g/"})
    EXPECT_EQ(withoutFolder("cannot read \"" + std::string(folder) + "x.png\": 2 / 3: damaged"),
              "cannot read \"x.png\": 2 / 3: damaged");
}

TEST(Notes, AreBounded) {
  Notes notes;
  for (int i = 0; i < 1000; ++i) addNote(notes, std::to_string(i) + std::string(100000, 'x'));
  ASSERT_EQ(notes.size(), 33u);
  EXPECT_LT(notes[0].size(), 1100u);
  EXPECT_EQ(notes.back(), "more notes are left out");
}

}  // namespace
}  // namespace satdof
