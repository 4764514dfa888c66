// SPDX-License-Identifier: MIT
import CacheJSON
import MSALCache

// Identifiers that are user names. Entra ID's identifiers are GUIDs. Other authorities and hostile caches can use a
// name, which would undo the mask of the name beside it.

extension NameMask {
  /// The masked form of a home account ID. An ID of two GUIDs, such as every Entra ID account has, stays as it is. Any
  /// other ID is masked like a name.
  package func identifier(_ homeAccountID: String) -> String {
    homeAccountID.isTwoGUIDs ? homeAccountID : self(homeAccountID)
  }

  /// A text with every name in it masked that can be told to be one: a word with an `@` before anything but a
  /// GUID, as which a resource can name its tenant.
  package func text(_ text: String) -> String {
    guard text.hasAt else { return text }
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

/// The mask of one report: each name, identifier, and text of it is masked once.
struct ReportMask {
  private let mask: NameMask
  /// The user names of the report, folded.
  private var names: Set<String> = []
  /// Whether a user name has no `@`, so that any text can be one.
  private var hasPlainName = false
  private var maskedNames: [String: String] = [:]
  /// The last of these: most rows are of the user of the row before.
  private var last = (name: "", masked: "")
  private var maskedTexts: [String: String] = [:]

  init(_ report: Report, _ mask: NameMask) {
    self.mask = mask
    for account in report.accounts { learn(account.userID) }
    for index in report.entries.indices { learn(report.entries[index].userID) }
  }

  private mutating func learn(_ name: String?) {
    guard let name, name != last.name, maskedNames[name] == nil else { return }
    last = (name, mask(name))
    maskedNames[name] = last.masked
    names.insert(name.foldedUserName)
    if !name.hasAt { hasPlainName = true }
  }

  /// The masked form of a user name.
  mutating func name(_ name: String) -> String {
    if name != last.name {
      last = (name, maskedNames[name] ?? mask(name))
      maskedNames[name] = last.masked
    }
    return last.masked
  }

  /// The masked form of a home account ID, as in ``NameMask/identifier(_:)``.
  mutating func identifier(_ home: String) -> String { home.isTwoGUIDs ? home : name(home) }

  // A mask writes only to texts that may contain a name, because a write copies storage that the two reports share.

  /// Replaces a text by its masked form if it is a user name or contains one.
  mutating func mask(_ text: inout String?) {
    if let name = text, mayBeIn(name) { text = self.text(name) }
  }

  mutating func mask(_ texts: inout [String]) {
    for index in texts.indices where mayBeIn(texts[index]) { texts[index] = text(texts[index]) }
  }

  mutating func mask(_ write: inout Report.Write) {
    mask(&write.realm)
    mask(&write.target)
    if mayBeIn(write.environment) { write.environment = text(write.environment) }
  }

  /// Whether a user name may be in one of these.
  func mayBeIn(_ writes: [Report.Write]) -> Bool {
    writes.contains {
      mayBeIn($0.environment) || mayBeIn($0.realm ?? "") || mayBeIn($0.target ?? "")
    }
  }

  /// Whether a user name may be in a text.
  private func mayBeIn(_ text: String) -> Bool { hasPlainName || text.hasAt }

  private mutating func text(_ text: String) -> String {
    if let masked = maskedTexts[text] { return masked }
    let masked = names.contains(text.foldedUserName) ? mask(text) : mask.text(text)
    maskedTexts[text] = masked
    return masked
  }
}

extension String {
  /// Whether an `@` is in it, as in every user name of Entra ID.
  fileprivate var hasAt: Bool { hasByte(UInt8(ascii: "@")) }
}

extension Report.Account {
  mutating func mask(with mask: inout ReportMask) {
    userID = userID.map { mask.name($0) }
    homeAccountID = homeAccountID.map { mask.identifier($0) }
    mask.mask(&environment)
    mask.mask(&clients)
    mask.mask(&realms)
  }
}

extension Report.Entry {
  mutating func mask(with mask: inout ReportMask) {
    if let name = userID { userID = mask.name(name) }
    place.account = nil
    // A document has the name of its account.
    if let home = homeAccountID {
      let shown = mask.identifier(home)
      homeAccountID = shown
      if shown != home { documentName = documentName.map { _ in shown } }
    }
    mask.mask(&clientID)
    mask.mask(&authority)
    mask.mask(&resource)
    mask.mask(&scope)
    mask.mask(&place.accessGroup)
    mask.mask(&place.service)
    if mask.mayBeIn(writes) {
      for index in writes.indices { mask.mask(&writes[index]) }
    }
  }
}
