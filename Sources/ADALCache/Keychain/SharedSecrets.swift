// SPDX-License-Identifier: MIT
import KeychainItems
import KeyedArchive

/// The tokens of an archive that are also another value. A damaged reference can make a token the resource of a row,
/// even of another row, and reports show resources.
struct SharedSecrets {
  private let secrets: Set<TokenSecret>

  /// The shared tokens of an archive that was read to the end; `texts` are the texts that are also kept secret. Nil
  /// without any, as in every sound archive.
  init?(_ texts: [ArraySlice<UInt8>]) {
    guard !texts.isEmpty else { return nil }
    secrets = Set(texts.map { TokenSecret(partOf: $0) }.filter { !$0.isEmpty })
    if secrets.isEmpty { return nil }
  }

  /// The facts about a row if one of its texts is a secret; nil otherwise.
  func unreadable(_ token: LegacyToken) -> UnreadableToken? {
    guard hasSecret(ItemField.shown.map { token[text: $0] } + token.place.texts) else { return nil }
    return checked(
      UnreadableToken(
        place: token.place, code: .undecodable,
        archiveError: KeyedArchiveError.Code.malformedString.description, userID: token.userID))
  }

  /// The row without its secrets.
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
  /// The texts of the place that come from an archive.
  fileprivate var texts: [String?] {
    guard case .blob(let key) = self else { return [] }
    return [key.user, key.authority, key.resource, key.client]
  }
}
