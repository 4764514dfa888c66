// SPDX-License-Identifier: MIT

/// The level of detail of a report.
package enum ReportDetail: Sendable {
  case full
  /// The counts, and of each finding the reason, the severity and the rows.
  case summary
}

extension MaskedReport {
  /// Writes the report as JSON has it (contract §6).
  func write(to json: inout ReportJSON, _ detail: ReportDetail = .full) {
    let report = content
    let isInspection = report.kind == .inspection
    json.writeObject { json in
      if detail == .full {
        json.write("accounts", report.accounts) { $1.write(to: &$0) }
      }
      if !isInspection { json.write("applied", report.kind == .applied) }
      if detail == .full {
        if !report.caches.isEmpty {
          json.write("caches", report.caches) { json, file in
            file.write(to: &json, report.accounts, isInspection: isInspection)
            json.endRow()
          }
        }
        json.write("entries", report.entries) { json, entry in
          entry.write(to: &json, isInspection: isInspection)
          json.endRow()
        }
      }
      if !isInspection {
        json.write("findings", report.findings) { $1.write(to: &$0, detail) }
      }
      json.write(name: "summary")
      report.summary.write(to: &json, isInspection: isInspection)
      if let target = report.target {
        json.write(name: "target")
        json.writeObject { json in
          json.write("kind", target.kind.rawValue)
          json.write("place", target.place)
        }
      }
      json.write(name: "tool")
      json.writeObject { json in
        json.write("name", "adal2msal")
        json.write("version", Report.toolVersion)
      }
      json.write("version", 1)
    }
  }
}

extension Report.Summary {
  fileprivate func write(to json: inout ReportJSON, isInspection: Bool) {
    func decided(_ count: Int) -> Int? { isInspection ? nil : count }
    json.writeObject { json in
      json.write("accounts", accounts)
      json.write("accountsSignedIn", decided(accountsSignedIn))
      json.write("accountsSignedOut", decided(accountsSignedOut))
      json.write("accountsToSignIn", decided(accountsToSignIn))
      json.write("alreadyThere", decided(alreadyThere))
      json.write("converted", decided(converted))
      json.write("foreign", foreign)
      json.write("notConverted", decided(notConverted))
      json.write("rows", rows)
      json.write("written", decided(written))
    }
  }
}

extension Report.Account {
  fileprivate func write(to json: inout ReportJSON) {
    json.writeObject { json in
      json.write("clients", clients)
      json.write("confidence", confidence.rawValue)
      json.write("environment", environment)
      json.write("homeAccountId", homeAccountID)
      json.write("realms", realms)
      json.write("signedIn", signedIn.rawValue)
      json.write("userId", userID)
    }
  }
}

extension Report.Entry {
  fileprivate func write(to json: inout ReportJSON, isInspection: Bool) {
    json.writeObject { json in
      json.write("authority", authority)
      json.write("clientId", clientID)
      if !isInspection { json.write("document", documentName) }
      json.write("evidence", evidence)
      json.write("homeAccountId", homeAccountID)
      json.write("kind", kind.rawValue)
      json.write("library", library?.rawValue)
      if !isInspection { json.write("outcome", outcome.rawValue) }
      json.write(name: "place")
      place.write(to: &json)
      json.write("reasons", reasons) { $0.write($1.code) }
      json.write("resource", resource)
      json.write("row", row)
      json.write("scope", scope)
      json.write("userId", userID)
      if !isInspection { json.write("writes", writes) { $1.write(to: &$0) } }
    }
  }
}

extension Report.Cache {
  fileprivate func write(
    to json: inout ReportJSON, _ all: [Report.Account], isInspection: Bool
  ) {
    let signedIn = accounts.count { all.indices.contains($0) && all[$0].signedIn != .no }
    func decided(_ count: Int) -> Int? { isInspection || objection != nil ? nil : count }
    json.writeObject { json in
      json.write("accounts", accounts) { $0.write($1) }
      json.write("accountsSignedIn", decided(signedIn))
      json.write("accountsToSignIn", decided(accounts.count - signedIn))
      json.write("alreadyThere", decided(alreadyThere))
      json.write("converted", decided(converted))
      json.write("file", file)
      json.write("message", objection)
      json.write("notConverted", decided(notConverted))
      json.write("rows", rows)
      json.write("status", status)
    }
  }
}

extension Report.Place {
  fileprivate func write(to json: inout ReportJSON) {
    json.writeObject { json in
      json.write("acct", account)
      json.write("agrp", accessGroup)
      json.write("file", file)
      json.write("index", index)
      json.write("svce", service)
    }
  }
}

extension Report.Write {
  fileprivate func write(to json: inout ReportJSON) {
    json.writeObject { json in
      json.write("environment", environment)
      json.write("realm", realm)
      json.write("target", target)
      json.write("type", type.rawValue)
    }
  }
}

extension Report.Finding {
  fileprivate func write(to json: inout ReportJSON, _ detail: ReportDetail) {
    json.writeObject { json in
      if detail == .full { json.write("message", message) }
      json.write("reason", reason.code)
      if detail == .full { json.write("remedy", remedy) }
      json.write("rows", rows) { $0.write($1) }
      json.write("severity", severity.rawValue)
    }
  }
}

// Members of an object; one without a value is left out.
extension ReportJSON {
  fileprivate mutating func write(_ name: StaticString, _ text: String?) {
    guard let text else { return }
    write(name: name)
    write(text)
  }

  fileprivate mutating func write(_ name: StaticString, _ number: Int?) {
    guard let number else { return }
    write(name: name)
    write(number)
  }

  fileprivate mutating func write(_ name: StaticString, _ flag: Bool) {
    write(name: name)
    write(flag)
  }

  fileprivate mutating func write(_ name: StaticString, _ texts: [String]) {
    write(name, texts) { $0.write($1) }
  }

  fileprivate mutating func write<Element>(
    _ name: StaticString, _ elements: [Element], _ element: (inout ReportJSON, Element) -> Void
  ) {
    write(name: name)
    writeList(elements.count) { element(&$0, elements[$1]) }
  }
}
