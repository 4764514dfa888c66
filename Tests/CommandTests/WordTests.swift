// SPDX-License-Identifier: MIT
import ADALMigration
import ArgumentParser
import LookupAnswers
import MSALLookup
import Testing

@testable import adal2msal

/// How words on the command line are understood.
@Suite struct WordTests {
  @Test(
    arguments: [
      ("0", 0), ("1700000000", 1_700_000_000), ("1700000000.5", 1_700_000_000.5),
      ("1970-01-01", 0), ("2000-02-29", 951_782_400), ("2023-11-14T22:13:20Z", 1_700_000_000),
      ("2023-11-14T22:13:20", 1_700_000_000), ("2023-11-14t22:13:20.25z", 1_700_000_000.25),
      ("2023-11-14 22:13:20Z", 1_700_000_000), ("2023-11-15T00:13:20+02:00", 1_700_000_000),
      ("2023-11-14T17:13:20-0500", 1_700_000_000), ("2023-11-14T22:13Z", 1_699_999_980),
      ("2023-11-15T03:43:20+05:30", 1_700_000_000), ("9999-12-31T23:59:59Z", 253_402_300_799),
      ("2024-12-31", 1_735_603_200), ("1900-03-01T00:00:00Z", nil),
    ] as [(String, Double?)])
  func instants(text: String, seconds: Double?) {
    #expect((try? Instant(word: text))?.seconds == seconds)
  }

  @Test(arguments: [
    "", " ", "-1", "+1", "1e9", "0x10", "inf", "nan", "1.", ".5", "1_000", "١٢", "2023-1-1",
    "2023-02-29", "2023-13-01", "2023-00-01", "2023-01-00", "2023-01-01T", "2023-01-01T24:00:00Z",
    "2023-01-01T00:60:00Z", "2023-01-01T00:00:61Z", "2023-01-01T00:00:00ZZ",
    "2023-01-01T00:00:00.Z",
    "2023-01-01T00:00:00+1", "2023-01-01Z", "2023-01-01T00", "253402300800", "0000-01-01",
    "99999999999999999999999999",
  ])
  func whatIsNoInstant(text: String) {
    #expect(throws: ValidationError.self) { try Instant(word: text) }
  }

  @Test func places() throws {
    let schemes = Dictionary(uniqueKeysWithValues: PlaceScheme.all.map { ($0.name, $0) })
    #expect(schemes.keys.sorted() == ["items", "keychain", "msal-json", "sqlite"])
    func place(_ scheme: String, _ name: String) throws -> PlaceArgument.Kind {
      .scheme(try #require(schemes[scheme]), name)
    }
    #expect(PlaceArgument(argument: "-")?.kind == .standardInput)
    #expect(PlaceArgument(argument: "a.json")?.kind == .path("a.json"))
    #expect(PlaceArgument(argument: "./-")?.kind == .path("./-"))
    #expect(try PlaceArgument(argument: "sqlite:a:b")?.kind == place("sqlite", "a:b"))
    #expect(try PlaceArgument(argument: "items:-")?.kind == place("items", "-"))
    #expect(try PlaceArgument(argument: "msal-json:a")?.kind == place("msal-json", "a"))
    #expect(try PlaceArgument(argument: "keychain:")?.kind == place("keychain", ""))
    #expect(try PlaceArgument(argument: "keychain:T.g")?.kind == place("keychain", "T.g"))
    #expect(PlaceArgument(argument: "SQLITE:a")?.kind == .path("SQLITE:a"))
    for text in ["", "sqlite:", "items:", "msal-json:"] {
      #expect(PlaceArgument(argument: text) == nil)
    }
  }

  @Test func everyReasonIsListedAndFindsItself() {
    for reason in Reason.allCases {
      #expect(Explain.list.contains("\n  \(reason.code) "))
      #expect(Explain.closest(to: reason.code).first == reason.code)
      #expect(Explain.closest(to: String(reason.code.dropLast())).contains(reason.code))
    }
  }

  @Test("every command has its help, and the help no mark")
  func everyCommandHasHelp() {
    let root = ADAL2MSAL.configuration
    let commands = [root] + root.subcommands.map { $0.configuration }
    let file = String(decoding: PackageResources.Help_md, as: UTF8.self)
    let headings = file.split(separator: "\n").filter { $0.hasPrefix("### ") }
    #expect(headings.map { String($0.dropFirst(4)) } == commands.compactMap { $0.commandName })
    #expect(ADAL2MSAL.commands.allSatisfy { $0 == $1._commandName })
    for command in commands {
      #expect(command.discussion.contains(":\n  "), "\(command.commandName ?? "")")
      #expect(!command.discussion.contains("s}") && !command.discussion.contains("```"))
    }
  }

  @Test("every check of a look-up has a page")
  func everyCheckHasAPage() {
    #expect(
      PredicatePage.pages.all.map(\.title)
        == ["access_group"] + LookupPredicate.allCases.map(\.rawValue))
    #expect(PredicatePage.all.map(\.code) == PredicatePage.pages.all.map(\.title))
    for page in PredicatePage.pages.all {
      #expect(page.paragraphs.map(\.name) == ["Summary", "Why", "What to do"], "\(page.title)")
      #expect(!page.summary.isEmpty && page.because.hasSuffix(".") && !page.remedy.isEmpty)
    }
  }

  @Test(
    arguments: [
      (["inspct"], "unknown command 'inspct'; did you mean 'inspect'?"),
      (["inspct", "--help"], "unknown command 'inspct'; did you mean 'inspect'?"),
      (["MIGRATE", "a"], "unknown command 'MIGRATE'; did you mean 'migrate'?"),
      (["mig"], "unknown command 'mig'; did you mean 'migrate'?"),
      (["contoso.sqlite"], "unknown command 'contoso.sqlite'"),
      (["help", "NONSENSE"], "unknown command 'NONSENSE'"),
      (["help", "lokup"], "unknown command 'lokup'; did you mean 'lookup'?"),
      (["e"], "unknown command 'e'"), ([""], "unknown command ''"),
      ([], nil), (["help"], nil), (["help", "inspect"], nil), (["--help"], nil),
      (["--version"], nil), (["inspect"], nil), (["help", "--help"], nil),
    ] as [([String], String?)])
  func whatIsNoCommand(words: [String], complaint: String?) {
    var found: String?
    do throws(Failure) { try SpellingCheck(words).checkCommand() } catch { found = error.message }
    #expect(found == complaint)
  }

  @Test(
    arguments: [
      ("doctor a --cahce b", "unknown option '--cahce'; did you mean '--cache'?"),
      ("migrate a --dryrun", "unknown option '--dryrun'; did you mean '--dry-run'?"),
      ("migrate --dryrun", "unknown option '--dryrun'; did you mean '--dry-run'?"),
      ("migrate a -dry-run", "unknown option '-dry-run'; did you mean '--dry-run'?"),
      ("migrate a --dry_run", "unknown option '--dry_run'; did you mean '--dry-run'?"),
      ("migrate a --client b", "unknown option '--client'; did you mean '--client-id'?"),
      ("migrate a --clientid=b", "unknown option '--clientid'; did you mean '--client-id'?"),
      ("migrate a --now 5 --form=text", "unknown option '--form'; did you mean '--format'?"),
      ("migrate a -x", "unknown option '-x'"), ("migrate a -nx", "unknown option '-x'"),
      ("migrate a --quux", "unknown option '--quux'"),
      ("inspect a --into b", "unknown option '--into'; it is one of migrate, stream, scrub"),
      ("--now 5 inspect a", "unknown option '--now'; the options of a command come after it"),
      ("--foo inspect a", "unknown option '--foo'"),
      // The value of an option is none, and after `--` nothing is.
      ("migrate a --now -5", nil), ("migrate a --client-id --foo", nil),
      ("migrate a -- --foo", nil),
      ("migrate a -n --now", nil), ("migrate", nil), ("migrate -", nil), ("", nil),
      ("--experimental-dump-help", nil), ("---completion migrate", nil), ("what --foo", nil),
      ("migrate a --into --foo --bar", "unknown option '--bar'"),
    ] as [(String, String?)])
  func whatIsNoOption(line: String, complaint: String?) {
    let words = line.split(separator: " ").map(String.init)
    #expect(SpellingCheck(words).unknownOption()?.message == complaint)
  }

  @Test(
    "a command reads its words alone as it does beside the others",
    arguments: [
      "migrate a -n --client-id b --client-id c --format json --fail-on never --now 5 -- ",
      "inspect a --show-usernames --report b.json", "explain", "explain env.other-heir",
      "lookup a --client-id b --account-id c.d --as python", "stream --into msal-json --now 5",
      "scrub a --into b", "doctor a --cache b --fail-on note", "ci github a", "undo a b -n",
      "demo --color never", "migrate help -n",
    ])
  func wordsOfACommandAlone(line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let command = try #require(
      ADAL2MSAL.configuration.subcommands.first { $0._commandName == words[0] })
    let alone = Result { "\(try command.parseAsRoot(Array(words.dropFirst())))" }
    let beside = Result { "\(try ADAL2MSAL.parseAsRoot(words))" }
    #expect(try alone.get() == beside.get())
  }

  @Test func otherProgramsSentencesBecomeOurs() {
    #expect("Unknown option '--x'.".asClause == "unknown option '--x'")
    #expect(
      "The value is bad. Please provide one of the following:\n  - a\n  - b".asClause
        == "the value is bad; it is one of a, b")
    #expect("Bad. Please provide one of 'a' or 'b'.".asClause == "bad; it is one of 'a' or 'b'")
    #expect("".asClause == "")
  }
}
