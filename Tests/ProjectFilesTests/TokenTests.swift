// SPDX-License-Identifier: MIT
import Testing

@testable import ProjectFiles

@Suite struct TokenTests {
  private enum Language: String, CaseIterable {
    case swift, m
  }

  private func read(_ text: String, _ language: Language) -> SourceText {
    SourceText(FileText(text, path: "a.\(language)"))
  }

  private func words(_ text: String, _ language: Language) -> [String] {
    let source = read(text, language)
    return source.tokens.indices.map(source.word)
  }

  @Test func commentsOfSwiftNest() {
    #expect(words("a /* b /* c */ d */ e // f\ng", .swift) == ["a", "e", "g"])
    #expect(words("a /* b /* c */ d", .m) == ["a", "d"])
  }

  @Test func interpolationsAreCode() {
    let source = read(#"f("a\(b("c"))d", "e")"#, .swift)
    #expect(source.tokens.indices.compactMap(source.identifier) == ["f", "b"])
    #expect(source.tokens.indices.compactMap(source.literal) == ["c", "e"])
  }

  @Test func stringsOfEveryFormEnd() {
    #expect(words(##"#"a"b"# c"##, .swift) == [##"#"a"b"#"##, "c"])
    #expect(words("\"\"\"\na \"b\" \n\"\"\" c", .swift).last == "c")
    #expect(words("\"open\nnext", .swift) == ["\"open", "next"])
    #expect(words("@\"a\\\"b\" c", .m) == ["@\"a\\\"b\"", "c"])
  }

  @Test func disabledCodeIsNone() {
    let text = "#if 0\na\n#if X\nb\n#endif\n#else\nc\n#endif\n#if X\nd\n#else\ne\n#endif\nf"
    #expect(words(text, .m) == ["c", "d", "e", "f"])
    #expect(words("#if false\na\n#endif\nb", .swift) == ["b"])
  }

  @Test func importsAndDefinitionsAreTokens() {
    let source = read(
      "#import <ADAL/ADAL.h>\n#define X @\"y\"\n#pragma mark z\n", .m)
    #expect(source.header(0) == "ADAL/ADAL.h")
    #expect(source.tokens.map(\.kind) == [.header, .definition, .string])
  }

  @Test func nestingWithoutEndIsRead() {
    for piece in ["\"\\(", "/*", "[[[(", "{", "#if 0\n", "\"\"\""] {
      let text = String(repeating: piece, count: 20_000)
      for language in Language.allCases {
        let outline = SourceOutline(read(text, language))
        #expect(outline.invocations.isEmpty)
      }
    }
  }

  @Test func sendsAndCallsAreOne() {
    let sent = SourceOutline(
      read("[[a b] acquireTokenWithResource:c ? d : e clientId:^{ [f g]; }];", .m))
    let send = sent.invocations.first { $0.selector == "acquireTokenWithResource" }
    #expect(send?.arguments.map(\.label) == ["acquireTokenWithResource", "clientId"])
    let called = SourceOutline(
      read("a?.acquireToken(withResource: b, clientId: c(d)) { }", .swift))
    let call = called.invocations.first { $0.selector == "acquireTokenWithResource" }
    #expect(call?.arguments.map(\.label) == ["withResource", "clientId"])
    #expect(call?.receiverEnd == 0)
  }

  @Test func theNearestDeclarationCounts() {
    let source = read(
      "ADA *x; id<ADP> y; - (void)f:(ADB *)x { NSArray<ADC *> *z; }", .m)
    let declarations = Declarations(SourceOutline(source))
    #expect(declarations.all("x").map(\.type) == ["ADA", "ADB"])
    #expect(declarations.nearest("x", before: 5)?.type == "ADA")
    #expect(declarations.all("y").map(\.type) == ["ADP"])
    #expect(declarations.all("z").map(\.type) == ["NSArray"])
  }
}
