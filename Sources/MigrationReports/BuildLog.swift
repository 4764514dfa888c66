// SPDX-License-Identifier: MIT
import ADALMigration

/// Commands that build services take from the output of a step.
package enum BuildLog {
  /// GitHub shows ten annotations of each kind for a step.
  package static let githubAnnotations = 10

  /// An annotation of GitHub Actions.
  ///
  /// - Parameters:
  ///   - kind: `error`, `warning` or `notice`.
  ///   - properties: Names and values, in order; what is nil is left out.
  package static func github(
    _ kind: String, _ properties: KeyValuePairs<String, String?>, _ message: String
  ) -> String {
    let words = properties.compactMap { name, value in
      value.map { "\(name)=\(percent($0, [":", ","], "%25"))" }
    }
    return "::\(kind) \(words.joined(separator: ","))::\(percent(message, [], "%25"))"
  }

  /// An issue of Azure Pipelines, which knows errors and warnings only.
  ///
  /// - Parameter properties: Names and values, in order; the severity is `type`, what is nil is left out.
  package static func azure(
    _ properties: KeyValuePairs<String, String?>, _ message: String
  ) -> String {
    let words = properties.compactMap { name, value in
      value.map { "\(name)=\(percent($0, [";", "]"], "%AZP25"))" }
    }
    let command = "##vso[task.logissue \(words.joined(separator: ";"))]"
    return command + percent(message, [], "%AZP25")
  }

  /// Escapes characters by their codes, as both services decode them; what breaks a line always.
  private static func percent(
    _ text: String, _ characters: Set<Unicode.Scalar>, _ percent: String
  ) -> String {
    text.unicodeScalars.map { scalar in
      if scalar == "%" { return percent }
      let breaks = scalar.value < 0x20 || [0x7F, 0x2028, 0x2029].contains(scalar.value)
      guard breaks || characters.contains(scalar) else { return String(scalar) }
      return String(scalar).utf8.map { "%" + PlainText.hex($0, digits: 2) }.joined()
    }.joined()
  }
}
