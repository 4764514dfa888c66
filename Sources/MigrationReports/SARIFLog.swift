// SPDX-License-Identifier: MIT
import ADALMigration
import CacheJSON

/// The parts of SARIF 2.1.0 that reports are made of.
package enum SARIFLog {
  /// The log of one run of the command, ending in a line break.
  ///
  /// - Parameters:
  ///   - root: the value of `SRCROOT`; nil if no result is below it.
  ///   - warnings: the run's remarks about itself, if it is below a root.
  package static func text(
    rules: [JSONValue], results: [JSONValue], root: String? = nil, warnings: [String] = []
  ) -> String {
    let driver: [String: JSONValue] = [
      "name": .string("adal2msal"), "version": .string(Report.toolVersion),
      "semanticVersion": .string(Report.toolVersion),
      "informationUri": .string(Report.homepage), "rules": .array(rules),
    ]
    let notifications = warnings.map { warning in
      JSONValue.object(["level": .string("warning"), "message": text(warning)])
    }
    let invocation: [String: JSONValue] = [
      "executionSuccessful": .bool(true), "toolExecutionNotifications": .array(notifications),
    ]
    let run = JSONValue.members([
      "tool": .object(["driver": .object(driver)]),
      "originalUriBaseIds": root.map { .object(["SRCROOT": .object(["uri": .string($0)])]) },
      "invocations": root.map { _ in .array([.object(invocation)]) },
      "results": .array(results), "columnKind": .string("unicodeCodePoints"),
    ])
    return JSONText.encode(
      JSONValue.object([
        "$schema": .string("https://json.schemastore.org/sarif-2.1.0.json"),
        "version": .string("2.1.0"), "runs": .array([run]),
      ]))
  }

  private static func text(_ text: String, markdown: String? = nil) -> JSONValue {
    .members(["text": .string(text), "markdown": .text(markdown)])
  }

  /// A reason or a rule that occurs.
  ///
  /// - Parameter severity: The usual one; nil where each result has its own.
  package static func rule(
    id: String, summary: String, happened: String, help: String, markdown: String? = nil,
    page: PageAddress, severity: Report.Severity? = nil
  ) -> JSONValue {
    .members([
      "id": .string(id), "shortDescription": text(summary.asSentence),
      "fullDescription": text(happened), "help": text(help, markdown: markdown),
      "helpUri": .string(page.url),
      "defaultConfiguration": severity.map { .object(["level": .string($0.rawValue)]) },
    ])
  }

  /// A finding and where it is.
  package static func result(
    ruleID: String, ruleIndex: Int, _ severity: Report.Severity, _ message: String,
    _ locations: [JSONValue], fingerprint: String, suppression: JSONValue? = nil,
    baselineState: String? = nil
  ) -> JSONValue {
    .members([
      "ruleId": .string(ruleID), "ruleIndex": .integer(ruleIndex),
      "level": .string(severity.rawValue), "message": text(message),
      "locations": .array(locations),
      "partialFingerprints": .object(["adal2msal/v1": .string(fingerprint)]),
      "suppressions": suppression.map { .array([$0]) },
      "baselineState": .text(baselineState),
    ])
  }

  /// - Parameters:
  ///   - isBelowRoot: Whether the file is named below `SRCROOT`.
  ///   - name: The name of a subject without lines.
  package static func location(
    uri: String, isBelowRoot: Bool = false, _ region: [String: Int]?, name: String? = nil
  ) -> JSONValue {
    let physical = JSONValue.members([
      "artifactLocation": .members([
        "uri": .string(uri), "uriBaseId": isBelowRoot ? .string("SRCROOT") : nil,
      ]),
      "region": region.map { .object($0.mapValues { .integer($0) }) },
    ])
    return .members([
      "physicalLocation": physical,
      "logicalLocations": name.map {
        .array([.object(["name": .string($0), "kind": .string("member")])])
      },
    ])
  }
}

extension String {
  /// A path as a relative reference: everything but plain characters percent-encoded.
  package var asRelativeReference: String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
    return utf8.map { byte in
      plain.contains(byte)
        ? String(UnicodeScalar(byte)) : "%" + PlainText.hex(byte, digits: 2)
    }.joined()
  }
}
