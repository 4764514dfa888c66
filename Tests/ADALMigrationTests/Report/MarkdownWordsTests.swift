// SPDX-License-Identifier: MIT
import MigrationReports
import Testing

/// Code in Markdown that is readable as it stands, and that nothing in it ends.
@Suite struct MarkdownWordsTests {
  @Test func codeIsASpanThatNothingEnds() {
    #expect(MarkdownWords.code("msauth.com.contoso://auth") == "`msauth.com.contoso://auth`")
    #expect(MarkdownWords.code("a`b") == "``a`b``")
    #expect(MarkdownWords.code("`a``") == "``` `a`` ```")
    #expect(MarkdownWords.code(" a ") == "`  a  `")
    #expect(MarkdownWords.code("") == "")
    #expect(MarkdownWords.code("a\nb") == "`a\\u{0A}b`")
    // A pipe ends a cell of a table even inside a span.
    #expect(MarkdownWords.code("a|`.b") == "<code>a&#124;&#96;&#46;b</code>")
  }

  @Test func blocksAreFencedByMoreThanTheyHold() {
    #expect(MarkdownWords.fenced("xml", ["<a>", "```"]) == "````xml\n<a>\n```\n````")
    #expect(MarkdownWords.fenced("swift", ["a\nb"]) == "```swift\na\\u{0A}b\n```")
  }

  @Test func proseKeepsItsStopsAndLosesItsLinks() {
    #expect(MarkdownWords.escape("iOS 16.0 needs it. See: a") == "iOS 16.0 needs it. See: a")
    #expect(MarkdownWords.escape("www.a.com http://b") == "www&#46;a&#46;com http&#58;//b")
    #expect(
      MarkdownWords.escape("<b> *x* @me #1 `c`")
        == "&#60;b&#62; &#42;x&#42; &#64;me &#35;1 &#96;c&#96;")
  }
}
