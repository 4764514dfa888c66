// SPDX-License-Identifier: MIT
import MSALCache

// Identifiers that are user names. Entra ID's are GUIDs; other authorities, and hostile caches, can
// have a name for one, which would undo the mask of the name beside it.

extension NameMask {
  /// What stands for a home account id: the id itself where both of its parts are GUIDs, as they are for every
  /// account of Entra ID, else what stands for a name.
  package func identifier(_ homeAccountID: String) -> String {
    HomeAccountID(homeAccountID)?.isGUIDs == true ? homeAccountID : self(homeAccountID)
  }

  /// A text with every name in it masked that can be told to be one: a word with an `@` before anything but a
  /// GUID, as which a resource can name its tenant.
  package func text(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
    var result = ""
    var rest = text.unicodeScalars[...]
    while let first = rest.first {
      let word = rest.prefix { Self.ends.contains($0) == Self.ends.contains(first) }
      rest = rest[word.endIndex...]
      result += isName(word) ? mask(ofWord: String(word)) : String(word)
    }
    return result
  }

  private static let ends = Set(" \t\r\n/?&=,;:|\"'()<>[]{}#\\".unicodeScalars)

  private func isName(_ word: Substring.UnicodeScalarView) -> Bool {
    let parts = word.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count > 2 || (parts.count == 2 && !String(parts[1]).isGUID)
  }

  /// The mask of a word; of one with several names without any domain, which would be another name.
  private func mask(ofWord word: String) -> String {
    let names = word.unicodeScalars.count { $0 == "@" }
    return self(
      names == 1 ? word : String(word.unicodeScalars.map { $0 == "@" ? " " : Character($0) }))
  }
}

extension Report {
  /// The report with the identifiers masked that are, or that hold, user names.
  ///
  /// - Parameter mask: what stands for a name.
  func maskingIdentifiers(_ mask: NameMask) -> Report {
    let names = Set(
      (accounts.compactMap(\.userID) + entries.compactMap(\.userID)).map(\.foldedUserName))
    var known: [String: String] = [:]
    /// An identifier or a text with identifiers.
    func masked(_ text: String?) -> String? {
      guard let text else { return nil }
      if let known = known[text] { return known }
      let masked = names.contains(text.foldedUserName) ? mask(text) : mask.text(text)
      known[text] = masked
      return masked
    }
    var homes: [String: String] = [:]
    for home in accounts.compactMap(\.homeAccountID) { homes[home] = mask.identifier(home) }
    func identifier(_ home: String) -> String { homes[home] ?? mask.identifier(home) }
    var report = self
    for index in report.accounts.indices {
      let account = accounts[index]
      report.accounts[index].homeAccountID = account.homeAccountID.map(identifier)
      report.accounts[index].environment = masked(account.environment)
      report.accounts[index].clients = account.clients.compactMap { masked($0) }
      report.accounts[index].realms = account.realms.compactMap { masked($0) }
    }
    for index in report.entries.indices { report.entries[index].mask(identifier, masked) }
    return report
  }
}

extension Report.Entry {
  fileprivate mutating func mask(
    _ identifier: (String) -> String, _ masked: (String?) -> String?
  ) {
    // A document has the name of its account.
    if let home = homeAccountID {
      let shown = identifier(home)
      homeAccountID = shown
      if shown != home { document = document.map { _ in shown } }
    }
    clientID = masked(clientID)
    authority = masked(authority)
    resource = masked(resource)
    scope = masked(scope)
    place.accessGroup = masked(place.accessGroup)
    place.service = masked(place.service)
    for index in writes.indices {
      writes[index].environment = masked(writes[index].environment) ?? ""
      writes[index].realm = masked(writes[index].realm)
      writes[index].target = masked(writes[index].target)
    }
  }
}
