#include "app/core/text/foreign_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

namespace satdof {
namespace {

TEST(ForeignText, EscapesControlBytes) {
  EXPECT_EQ(inQuotes("a\x1b[2Jb\n"), "\"a\\u001b[2Jb\\n\"");
  EXPECT_EQ(inQuotes("\x7f"), "\"\\x7f\"");
  EXPECT_EQ(printable("line 1\nline\t2\x1b\x7f"), "line 1\nline\\x092\\x1b\\x7f");
}

TEST(ForeignText, EscapesControlCharactersOfUnicodeAndKeepsLetters) {
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m \xc3\xa4"),
            "\\x9b31m \xc3\xa4");
  EXPECT_EQ(inQuotes("\xff"), "\"\xef\xbf\xbd\"");
}

TEST(ForeignText, PathsStandOnOneLine) {
  EXPECT_EQ(pathText("a b/\xc3\xa4.png"), "a b/\xc3\xa4.png");
  EXPECT_EQ(pathText("a\n/b\x1b[2J\r.png"), "a\\n/b\\u001b[2J\\r.png");
  EXPECT_EQ(pathText("/" + std::string(2000, 'x')), "/" + std::string(999, 'x') + "...");
}

TEST(ForeignText, AnyBytesAreTextOfJson) {
  EXPECT_EQ(toJsonText("a/\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80.png"), "a/\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80.png");
  EXPECT_EQ(toJsonText("b\xff"), "b\xee\xbf\xbf");
  const auto isText = [](const std::string& text) {
    return nlohmann::json::parse(nlohmann::json(text).dump()) == text;
  };
  std::mt19937 random(4);
  for (int i = 0; i < 20000; ++i) {
    // Bytes of leads, of continuations and of what toJsonText() writes.
    constexpr std::string_view kBytes = "a\x80\xbe\xbf\xc3\xe0\xed\xee\xa0\xf0\xf4\xff";
    std::string bytes(random() % 8, '\0');
    for (char& byte : bytes) byte = kBytes[random() % kBytes.size()];
    const std::string text = toJsonText(bytes);
    EXPECT_EQ(fromJsonText(text), bytes);
    EXPECT_TRUE(isText(text)) << testing::PrintToString(bytes);
  }
}

TEST(ForeignText, ShortensLongTexts) {
  EXPECT_EQ(excerpt("abcdef", 3), "abc...");
  EXPECT_EQ(excerpt("abc", 3), "abc");
  EXPECT_EQ(printable("abcdef", 3), "abc...");
  EXPECT_EQ(excerpt(std::string(1 << 20, 'x')).size(), 63u);
  EXPECT_EQ(printable("", 3), "");
}

}  // namespace
}  // namespace satdof
