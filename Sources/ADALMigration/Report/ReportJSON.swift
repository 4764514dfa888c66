// SPDX-License-Identifier: MIT
import Foundation

extension MaskedReport {
  /// The report as JSON: keys sorted, the same bytes for the same report.
  package func json() -> String {
    JSONText.encode(self)
  }
}

/// Values as JSON text that is safe to print.
package enum JSONText {
  /// The value as JSON with sorted keys, ending in a line break.
  ///
  /// Whatever a terminal or a build log could act on is written as an escape of JSON's, which changes
  /// nothing for a program that reads it.
  package static func encode(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else {
      preconditionFailure("reports consist of strings and whole numbers, which JSON has")
    }
    return harmless(String(decoding: data, as: UTF8.self)) + "\n"
  }

  /// JSON that says the same, in which whatever a terminal or a build log could act on is an escape.
  package static func harmless(_ json: String) -> String {
    PlainText.escape(json) { scalar in
      // Above the basic plane JSON takes a pair of surrogates; the line breaks are the encoder's.
      scalar == "\n"
        ? "\n" : scalar.utf16.map { "\\u" + PlainText.hex($0, digits: 4) }.joined()
    }
  }
}

extension MaskedReport: Encodable {
  private enum Key: String, CodingKey {
    case version, tool, name, applied, summary, accounts, entries, findings
    case rows, converted, alreadyThere, notConverted, foreign, accountsSignedIn, accountsToSignIn
    case written
  }

  public func encode(to encoder: any Encoder) throws {
    var report = encoder.container(keyedBy: Key.self)
    try report.encode(1, forKey: .version)
    var tool = report.nestedContainer(keyedBy: Key.self, forKey: .tool)
    try tool.encode("adal2msal", forKey: .name)
    try tool.encode(Report.toolVersion, forKey: .version)

    let isInspection = content.kind == .inspection
    var summary = report.nestedContainer(keyedBy: Key.self, forKey: .summary)
    try summary.encode(content.summary.rows, forKey: .rows)
    try summary.encode(content.summary.foreign, forKey: .foreign)
    try summary.encode(content.summary.accounts, forKey: .accounts)
    if !isInspection {
      try report.encode(content.kind == .applied, forKey: .applied)
      try summary.encode(content.summary.converted, forKey: .converted)
      try summary.encode(content.summary.alreadyThere, forKey: .alreadyThere)
      try summary.encode(content.summary.notConverted, forKey: .notConverted)
      try summary.encode(content.summary.accountsSignedIn, forKey: .accountsSignedIn)
      try summary.encode(content.summary.accountsToSignIn, forKey: .accountsToSignIn)
      try summary.encode(content.summary.written, forKey: .written)
      try report.encode(content.findings.map(EncodedFinding.init), forKey: .findings)
    }
    try report.encode(content.accounts.map(EncodedAccount.init), forKey: .accounts)
    try report.encode(
      content.entries.map { EncodedEntry($0, isInspection: isInspection) }, forKey: .entries)
  }
}

private struct EncodedAccount: Encodable {
  var userId: String?
  var homeAccountId: String?
  var environment: String?
  var confidence: Report.Confidence
  var clients: [String]
  var realms: [String]
  var signedIn: Report.SignedIn

  init(_ account: Report.Account) {
    userId = account.userID
    homeAccountId = account.homeAccountID
    environment = account.environment
    confidence = account.confidence
    clients = account.clients
    realms = account.realms
    signedIn = account.signedIn
  }
}

private struct EncodedPlace: Encodable {
  var file: String?
  var index: Int
  var agrp: String?
  var acct: String?
  var svce: String?
}

private struct EncodedWrite: Encodable {
  var type: String
  var environment: String
  var realm: String?
  var target: String?
}

private struct EncodedEntry: Encodable {
  var row: Int
  var place: EncodedPlace
  var kind: Report.RowKind
  var clientId: String?
  var authority: String?
  var resource: String?
  var scope: String?
  var userId: String?
  var homeAccountId: String?
  var outcome: Report.Outcome?
  var reasons: [Reason]
  var evidence: [String]
  var writes: [EncodedWrite]?
  var document: String?
  var library: Report.Library?

  init(_ entry: Report.Entry, isInspection: Bool) {
    row = entry.row
    place = EncodedPlace(
      file: entry.place.file, index: entry.place.index, agrp: entry.place.accessGroup,
      acct: entry.place.account, svce: entry.place.service)
    kind = entry.kind
    clientId = entry.clientID
    authority = entry.authority
    resource = entry.resource
    scope = entry.scope
    userId = entry.userID
    homeAccountId = entry.homeAccountID
    outcome = isInspection ? nil : entry.outcome
    reasons = entry.reasons
    evidence = entry.evidence
    writes =
      isInspection
      ? nil
      : entry.writes.map { write in
        EncodedWrite(
          type: write.type, environment: write.environment, realm: write.realm,
          target: write.target)
      }
    library = entry.library
    document = isInspection ? nil : entry.document
  }
}

private struct EncodedFinding: Encodable {
  var reason: Reason
  var severity: Report.Severity
  var rows: [Int]
  var message: String
  var remedy: String

  init(_ finding: Report.Finding) {
    reason = finding.reason
    severity = finding.severity
    rows = finding.rows
    message = finding.plainMessage
    remedy = finding.remedy
  }
}

extension Report.Finding {
  /// The message in one piece.
  package var plainMessage: String {
    message.map { fragment in
      switch fragment {
      case .text(let words): words
      case .user(let name): name
      }
    }.joined()
  }
}
