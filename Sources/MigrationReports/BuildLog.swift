// SPDX-License-Identifier: MIT
import ADALMigration

/// Commands that build services take from the output of a step.
package enum BuildLog {
  /// What GitHub shows at a file.
  package struct Annotation {
    let severity: Report.Severity
    let properties: KeyValuePairs<String, String?>
    let message: String
    let code: String

    /// - Parameters:
    ///   - properties: Names and values, in order; what is nil is left out.
    ///   - code: That of the reason or rule; empty where there is none.
    package init(
      _ severity: Report.Severity, _ properties: KeyValuePairs<String, String?>, _ message: String,
      code: String
    ) {
      self.severity = severity
      self.properties = properties
      self.message = message
      self.code = code
    }
  }

  /// A headline and the annotations of GitHub Actions, the worst first.
  ///
  /// GitHub shows ten of each kind for a step, so the tenth says how many more there are.
  ///
  /// - Parameter more: What is said of those of a kind that are left out.
  package static func github(
    _ headline: String, _ annotations: [Annotation], more: (ArraySlice<Annotation>) -> String
  ) -> String {
    var lines = [github("notice", ["title": "adal2msal"], headline)]
    for (severity, kind) in [
      (Report.Severity.error, "error"), (.warning, "warning"), (.note, "notice"),
    ] {
      let ofKind = annotations.filter { $0.severity == severity }
      // The headline is a notice.
      let room = kind == "notice" ? 9 : 10
      let shown = ofKind.count <= room ? ofKind.count : room - 1
      lines += ofKind.prefix(shown).map { github(kind, $0.properties, $0.message) }
      if shown < ofKind.count {
        lines.append(github(kind, ["title": "adal2msal"], more(ofKind.dropFirst(shown))))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// An annotation of GitHub Actions.
  ///
  /// - Parameter kind: `error`, `warning` or `notice`.
  private static func github(
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
