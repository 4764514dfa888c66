// SPDX-License-Identifier: MIT

/// What a report is written to, value by value. It is told what stands where and knows how that is spelled.
package protocol ReportSink {
  mutating func write(_ text: String)
  mutating func write(_ number: Int)
  mutating func write(_ flag: Bool)
  /// The name of the member that is written next. An object's names come in the order of their bytes.
  mutating func write(name: StaticString)
  /// An object of the members that `members` writes.
  mutating func writeObject(_ members: (inout Self) -> Void)
  /// A list of so many, of which `element` writes each.
  mutating func writeList(_ count: Int, _ element: (inout Self, Int) -> Void)
  /// A row or a file is written; what follows is another one or the end.
  mutating func endRow()
}

/// How much of a report is said.
package enum ReportDetail: Sendable {
  case full
  /// The counts, and of each finding the reason, the severity and the rows.
  case summary
}

extension MaskedReport {
  /// Writes the report as JSON has it (contract §6).
  package func write(to sink: inout some ReportSink, _ detail: ReportDetail = .full) {
    let report = content
    let isInspection = report.kind == .inspection
    sink.writeObject { sink in
      if detail == .full {
        sink.write("accounts", report.accounts) { $1.write(to: &$0) }
      }
      if !isInspection { sink.write("applied", report.kind == .applied) }
      if detail == .full {
        if !report.caches.isEmpty {
          sink.write("caches", report.caches) { sink, file in
            file.write(to: &sink, report.accounts, isInspection: isInspection)
            sink.endRow()
          }
        }
        sink.write("entries", report.entries) { sink, entry in
          entry.write(to: &sink, isInspection: isInspection)
          sink.endRow()
        }
      }
      if !isInspection {
        sink.write("findings", report.findings) { $1.write(to: &$0, detail) }
      }
      sink.write(name: "summary")
      report.summary.write(to: &sink, isInspection: isInspection)
      if let target = report.target {
        sink.write(name: "target")
        sink.writeObject { sink in
          sink.write("kind", target.kind.rawValue)
          sink.write("place", target.place)
        }
      }
      sink.write(name: "tool")
      sink.writeObject { sink in
        sink.write("name", "adal2msal")
        sink.write("version", Report.toolVersion)
      }
      sink.write("version", 1)
    }
  }
}

extension Report.Summary {
  fileprivate func write(to sink: inout some ReportSink, isInspection: Bool) {
    func decided(_ count: Int) -> Int? { isInspection ? nil : count }
    sink.writeObject { sink in
      sink.write("accounts", accounts)
      sink.write("accountsSignedIn", decided(accountsSignedIn))
      sink.write("accountsSignedOut", decided(accountsSignedOut))
      sink.write("accountsToSignIn", decided(accountsToSignIn))
      sink.write("alreadyThere", decided(alreadyThere))
      sink.write("converted", decided(converted))
      sink.write("foreign", foreign)
      sink.write("notConverted", decided(notConverted))
      sink.write("rows", rows)
      sink.write("written", decided(written))
    }
  }
}

extension Report.Account {
  fileprivate func write(to sink: inout some ReportSink) {
    sink.writeObject { sink in
      sink.write("clients", clients)
      sink.write("confidence", confidence.rawValue)
      sink.write("environment", environment)
      sink.write("homeAccountId", homeAccountID)
      sink.write("realms", realms)
      sink.write("signedIn", signedIn.rawValue)
      sink.write("userId", userID)
    }
  }
}

extension Report.Entry {
  fileprivate func write(to sink: inout some ReportSink, isInspection: Bool) {
    sink.writeObject { sink in
      sink.write("authority", authority)
      sink.write("clientId", clientID)
      if !isInspection { sink.write("document", document) }
      sink.write("evidence", evidence)
      sink.write("homeAccountId", homeAccountID)
      sink.write("kind", kind.rawValue)
      sink.write("library", library?.rawValue)
      if !isInspection { sink.write("outcome", outcome.rawValue) }
      sink.write(name: "place")
      place.write(to: &sink)
      sink.write("reasons", reasons) { $0.write($1.code) }
      sink.write("resource", resource)
      sink.write("row", row)
      sink.write("scope", scope)
      sink.write("userId", userID)
      if !isInspection { sink.write("writes", writes) { $1.write(to: &$0) } }
    }
  }
}

extension Report.Cache {
  fileprivate func write(
    to sink: inout some ReportSink, _ people: [Report.Account], isInspection: Bool
  ) {
    let signedIn = accounts.count { people.indices.contains($0) && people[$0].signedIn != .no }
    func decided(_ count: Int) -> Int? { isInspection || objection != nil ? nil : count }
    sink.writeObject { sink in
      sink.write("accounts", accounts) { $0.write($1) }
      sink.write("accountsSignedIn", decided(signedIn))
      sink.write("accountsToSignIn", decided(accounts.count - signedIn))
      sink.write("alreadyThere", decided(alreadyThere))
      sink.write("converted", decided(converted))
      sink.write("file", file)
      sink.write("message", objection)
      sink.write("notConverted", decided(notConverted))
      sink.write("rows", rows)
      sink.write("status", status)
    }
  }
}

extension Report.Place {
  fileprivate func write(to sink: inout some ReportSink) {
    sink.writeObject { sink in
      sink.write("acct", account)
      sink.write("agrp", accessGroup)
      sink.write("file", file)
      sink.write("index", index)
      sink.write("svce", service)
    }
  }
}

extension Report.Write {
  fileprivate func write(to sink: inout some ReportSink) {
    sink.writeObject { sink in
      sink.write("environment", environment)
      sink.write("realm", realm)
      sink.write("target", target)
      sink.write("type", type.rawValue)
    }
  }
}

extension Report.Finding {
  fileprivate func write(to sink: inout some ReportSink, _ detail: ReportDetail) {
    sink.writeObject { sink in
      if detail == .full { sink.write("message", plainMessage) }
      sink.write("reason", reason.code)
      if detail == .full { sink.write("remedy", remedy) }
      sink.write("rows", rows) { $0.write($1) }
      sink.write("severity", severity.rawValue)
    }
  }
}

// Members of an object; one without a value is left out.
extension ReportSink {
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
    _ name: StaticString, _ elements: [Element], _ element: (inout Self, Element) -> Void
  ) {
    write(name: name)
    writeList(elements.count) { element(&$0, elements[$1]) }
  }
}
