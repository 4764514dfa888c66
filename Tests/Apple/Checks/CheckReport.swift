// SPDX-License-Identifier: MIT
import Foundation

/// The results of the checks on one device, in the form for reports: no name, no token, no team.
struct CheckReport: Sendable {
  /// A check that was run, with what is wrong.
  struct Answer: Sendable, Identifiable {
    let number: Int
    let title: String
    let problems: [String]
    var id: Int { number }
  }

  var answers: [Answer] = []
  /// The length of the team prefix; nil when it is not known.
  var prefixLength: Int?

  /// Runs checks, in their order.
  static func running(_ checks: [Check], second: String) -> CheckReport {
    var report = CheckReport()
    do {
      let keychain = try CheckKeychain(second: second)
      report.prefixLength = keychain.first.prefix { $0 != "." }.count
      report.answers = checks.map {
        Answer(number: $0.number, title: $0.title, problems: $0.problems(keychain))
      }
    } catch {
      report.answers = [Answer(number: 0, title: "The keychain is there", problems: ["\(error)"])]
    }
    return report
  }

  /// One Markdown block for the form.
  func markdown(system: String) -> String {
    var lines = ["- system: \(system)"]
    lines.append("- team prefix: \(prefixLength.map { "\($0) characters" } ?? "not known")")
    for answer in answers {
      let outcome = answer.problems.isEmpty ? "passed" : "FAILED"
      lines.append("- check \(answer.number), \(answer.title): \(outcome)")
      lines += answer.problems.map { "  - \($0)" }
    }
    return lines.joined(separator: "\n")
  }
}

extension Bundle {
  private final class Place {}
  /// The bundle that the checks are in.
  static var checks: Bundle { Bundle(for: Place.self) }
}
