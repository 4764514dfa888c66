// SPDX-License-Identifier: MIT

/// A report as JSON has it, before it is text.
package enum ReportNode: Sendable {
  case text(String)
  case number(Int)
  case flag(Bool)
  case list([ReportNode])
  /// So many, each made when it is written.
  case each(Int, @Sendable (Int) -> ReportNode)
  /// Names with values, in the order of the names; those without a value are left out.
  case object(KeyValuePairs<StaticString, ReportNode?>)
}

/// How much of a report is said.
package enum ReportDetail: Sendable {
  case full
  /// The counts, and of each finding the reason, the severity and the rows.
  case summary
}

extension MaskedReport {
  /// The report as JSON has it (contract §6).
  package func tree(_ detail: ReportDetail = .full) -> ReportNode {
    let isInspection = content.kind == .inspection
    var accounts, applied, caches, entries, findings: ReportNode?
    if detail == .full {
      accounts = .list(content.accounts.map(\.node))
      let rows = content.entries
      entries = .each(rows.count) { rows[$0].node(isInspection: isInspection) }
      let (files, people) = (content.caches, content.accounts)
      if !files.isEmpty {
        caches = .each(files.count) { files[$0].node(people, isInspection: isInspection) }
      }
    }
    if !isInspection {
      applied = .flag(content.kind == .applied)
      findings = .list(content.findings.map { $0.node(detail) })
    }
    return .object([
      "accounts": accounts,
      "applied": applied,
      "caches": caches,
      "entries": entries,
      "findings": findings,
      "summary": content.summary.node(isInspection: isInspection),
      "tool": .object(["name": .text("adal2msal"), "version": .text(Report.toolVersion)]),
      "version": .number(1),
    ])
  }
}

extension Report.Summary {
  fileprivate func node(isInspection: Bool) -> ReportNode {
    func decided(_ count: Int) -> ReportNode? { isInspection ? nil : .number(count) }
    return .object([
      "accounts": .number(accounts),
      "accountsSignedIn": decided(accountsSignedIn),
      "accountsToSignIn": decided(accountsToSignIn),
      "alreadyThere": decided(alreadyThere),
      "converted": decided(converted),
      "foreign": .number(foreign),
      "notConverted": decided(notConverted),
      "rows": .number(rows),
      "written": decided(written),
    ])
  }
}

extension Report.Account {
  fileprivate var node: ReportNode {
    .object([
      "clients": .texts(clients),
      "confidence": .text(confidence.rawValue),
      "environment": .optional(environment),
      "homeAccountId": .optional(homeAccountID),
      "realms": .texts(realms),
      "signedIn": .text(signedIn.rawValue),
      "userId": .optional(userID),
    ])
  }
}

extension Report.Entry {
  fileprivate func node(isInspection: Bool) -> ReportNode {
    var decided: (document: ReportNode?, outcome: ReportNode?, writes: ReportNode?)
    if !isInspection {
      decided = (.optional(document), .text(outcome.rawValue), .list(writes.map(\.node)))
    }
    return .object([
      "authority": .optional(authority),
      "clientId": .optional(clientID),
      "document": decided.document,
      "evidence": .texts(evidence),
      "homeAccountId": .optional(homeAccountID),
      "kind": .text(kind.rawValue),
      "library": .optional(library?.rawValue),
      "outcome": decided.outcome,
      "place": place.node,
      "reasons": .list(reasons.map { .text($0.code) }),
      "resource": .optional(resource),
      "row": .number(row),
      "scope": .optional(scope),
      "userId": .optional(userID),
      "writes": decided.writes,
    ])
  }
}

extension Report.Cache {
  fileprivate func node(_ people: [Report.Account], isInspection: Bool) -> ReportNode {
    let signedIn = accounts.count { people.indices.contains($0) && people[$0].signedIn != .no }
    func decided(_ count: Int) -> ReportNode? {
      isInspection || objection != nil ? nil : .number(count)
    }
    return .object([
      "accounts": .list(accounts.map { .number($0) }),
      "accountsSignedIn": decided(signedIn),
      "accountsToSignIn": decided(accounts.count - signedIn),
      "alreadyThere": decided(alreadyThere),
      "converted": decided(converted),
      "file": .text(file),
      "message": .optional(objection),
      "notConverted": decided(notConverted),
      "rows": .number(rows),
      "status": .number(status),
    ])
  }
}

extension Report.Place {
  fileprivate var node: ReportNode {
    .object([
      "acct": .optional(account),
      "agrp": .optional(accessGroup),
      "file": .optional(file),
      "index": .number(index),
      "svce": .optional(service),
    ])
  }
}

extension Report.Write {
  fileprivate var node: ReportNode {
    .object([
      "environment": .text(environment),
      "realm": .optional(realm),
      "target": .optional(target),
      "type": .text(type),
    ])
  }
}

extension Report.Finding {
  fileprivate func node(_ detail: ReportDetail) -> ReportNode {
    let isFull = detail == .full
    return .object([
      "message": .optional(isFull ? plainMessage : nil),
      "reason": .text(reason.code),
      "remedy": .optional(isFull ? remedy : nil),
      "rows": .list(rows.map { .number($0) }),
      "severity": .text(severity.rawValue),
    ])
  }
}

extension ReportNode {
  fileprivate static func texts(_ texts: [String]) -> ReportNode { .list(texts.map { .text($0) }) }

  fileprivate static func optional(_ text: String?) -> ReportNode? { text.map { .text($0) } }
}

extension ReportNode: Encodable {
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: StaticString) { stringValue = name.description }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: Name.self)
      for case (let name, let value?) in members {
        try container.encode(value, forKey: Name(name))
      }
    case .list(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .each(let count, let element):
      var container = encoder.unkeyedContainer()
      for position in 0..<count { try container.encode(element(position)) }
    case .text(let text):
      var container = encoder.singleValueContainer()
      try container.encode(text)
    case .number(let number):
      var container = encoder.singleValueContainer()
      try container.encode(number)
    case .flag(let flag):
      var container = encoder.singleValueContainer()
      try container.encode(flag)
    }
  }
}
