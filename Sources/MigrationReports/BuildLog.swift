// SPDX-License-Identifier: MIT
import ADALMigration

/// Commands that build services take from the output of a step.
package enum BuildLog {
  /// A message that a build service shows at a file. All words are escaped.
  package struct Annotation {
    let severity: Report.Severity
    let title: String
    /// The ID of the reason or rule, which `explain` takes; nil without one.
    let code: String?
    let message: String
    /// The remedy, as sentences; nil if the message contains it.
    let advice: String?
    package var file: String?
    /// The place in the file, as SARIF has it.
    package var region: [String: Int]?
    /// The subject of a plain line, which has no file of its own.
    package var place: String?
    /// The text in brackets after the message.
    var details: [String] = []

    package init(
      _ severity: Report.Severity, title: String, code: String?, message: String, advice: String?
    ) {
      self.severity = severity
      self.title = title
      self.code = code
      self.message = message
      self.advice = advice
    }

    fileprivate func text(_ details: [String]) -> String {
      let list = details.isEmpty ? "" : " (\(details.joined(separator: ", ")))"
      return message + list + (advice.map { ". \($0)" } ?? "")
    }

    fileprivate func number(_ name: String) -> String? { region?[name].map { String($0) } }
  }

  /// A headline and the annotations of GitHub Actions, the worst first.
  ///
  /// GitHub shows ten of each kind for a step, so the tenth says how many more there are.
  ///
  /// - Parameter more: The words for messages of a kind that are left out.
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
      lines += ofKind.prefix(shown).map { annotation in
        github(
          kind,
          [
            "file": annotation.file, "line": annotation.number("startLine"),
            "endLine": annotation.number("endLine"), "col": annotation.number("startColumn"),
            "endColumn": annotation.number("endColumn"),
            "title": annotation.title + (annotation.code.map { " (\($0))" } ?? ""),
          ], annotation.text(annotation.details))
      }
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

  /// The same for Azure Pipelines, which knows errors and warnings only; notes are plain lines there.
  package static func azure(_ headline: String, _ annotations: [Annotation]) -> String {
    let lines = annotations.map { annotation in
      let type = annotation.severity.rawValue
      let text = annotation.text([annotation.code].compactMap { $0 } + annotation.details)
      guard annotation.severity > .note else {
        return "\(type): \(annotation.place.map { $0 + " " } ?? "")\(text)"
      }
      let properties: KeyValuePairs = [
        "type": type, "sourcepath": annotation.file,
        "linenumber": annotation.number("startLine"),
        "columnnumber": annotation.number("startColumn"), "code": annotation.code,
      ]
      let words = properties.compactMap { name, value in
        value.map { "\(name)=\(percent($0, [";", "]"], "%AZP25"))" }
      }
      let command = "##vso[task.logissue \(words.joined(separator: ";"))]"
      return command + percent(text, [], "%AZP25")
    }
    return ([headline] + lines).joined(separator: "\n") + "\n"
  }

  /// Escapes characters by their codes, as both services decode them. Line breaks are always escaped.
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
