// SPDX-License-Identifier: MIT
import KeychainItems
import KeyedArchive

/// The tokens of an archive that are something else as well. A damaged reference makes one the resource
/// of a row, be it another's, and reports show resources.
struct SharedSecrets {
  private let secrets: Set<TokenSecret>

  /// Those of an archive of which all is read, where `texts` are those that are kept secret too; nil where
  /// there is none, as in every whole archive.
  init?(_ texts: [ArraySlice<UInt8>]) {
    guard !texts.isEmpty else { return nil }
    secrets = Set(texts.map { TokenSecret(partOf: $0) }.filter { !$0.isEmpty })
    if secrets.isEmpty { return nil }
  }

  /// What is left of a row when a text of it is a secret; nil when none is.
  func unreadable(_ token: LegacyToken) -> UnreadableToken? {
    guard hasSecret(ItemField.shown.map { token[text: $0] } + token.place.texts) else { return nil }
    return checked(
      UnreadableToken(
        place: token.place, code: .undecodable,
        archiveError: KeyedArchiveError.Code.malformedString.description, userID: token.userID))
  }

  /// The row without what is a secret.
  func checked(_ row: UnreadableToken) -> UnreadableToken {
    var row = row
    if hasSecret(row.place.texts) { row.place = .blob(.lost) }
    row.userID = open(row.userID)
    row.authority = open(row.authority)
    row.resource = open(row.resource)
    row.clientID = open(row.clientID)
    row.className = open(row.className)
    return row
  }

  private func open(_ text: String?) -> String? { hasSecret([text]) ? nil : text }

  private func hasSecret(_ texts: [String?]) -> Bool {
    texts.contains { $0.map { secrets.contains(TokenSecret($0)) } ?? false }
  }
}

extension LegacyPlace {
  /// What an archive says of the place.
  fileprivate var texts: [String?] {
    guard case .blob(let key) = self else { return [] }
    return [key.user, key.authority, key.resource, key.client]
  }
}
