// SPDX-License-Identifier: MIT
import ADALMigration
import ArgumentParser

struct Stream: ParsableCommand {
  static let configuration = CommandConfiguration(
    "stream",
    abstract: "Migrate many caches: one JSON object per line on standard input",
    usage: "adal2msal stream --into <form> --now <instant> [<options>]")

  enum Form: String, OptionWord {
    case document = "msal-json"
    case items
  }

  enum Detail: String, OptionWord {
    case full, summary, none

    var ofReport: ReportDetail? {
      switch self {
      case .full: .full
      case .summary: .summary
      case .none: nil
      }
    }
  }

  @Option(
    help: ArgumentHelp(
      "The format of the new caches: cache documents or items files.", valueName: "form"))
  var into: Form

  @OptionGroup var deciding: DecidingOptions
  @OptionGroup var reading: ReadingOptions

  @Option(help: "How much of the report each answer contains.")
  var detail: Detail = .summary

  @OptionGroup var names: NameOptions

  @Option(
    help: ArgumentHelp(
      "The longest line to read or write; a longer line gets status 65.",
      valueName: "bytes"))
  var longestLine = 64 << 20

  func validate() throws {
    if reading.now == nil {
      throw ValidationError(
        "stream requires '--now', so that the same line always gives the same answer.")
    }
    if longestLine < 1 { throw ValidationError("The longest line has at least 1 byte.") }
  }

  func run() throws {
    var answers = try StreamAnswers(self)
    var lines = LineInput(longest: longestLine)
    while let line = try lines.next(beforeWaiting: { try answers.write() }) {
      answers.add(to: line)
      if answers.isFull { try answers.write() }
    }
    try answers.write()
    if let totals = answers.totals { Terminal.note(totals) }
  }
}
