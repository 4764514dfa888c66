// SPDX-License-Identifier: MIT
import ADALCache
import MSALCache

/// The home account id that the service gave for a row, with the field that it is stored in. What a row derives
/// is its ``Derivation``, and what MSAL's fallback reads its ``ADALCache/LegacyToken/fallbackIdentifier``.
struct StoredHomeAccountID: Sendable {
  /// A field, as the evidence names it; the first that has an id counts.
  enum Field: String, CaseIterable {
    case homeAccountID = "homeAccountId"
    case clientInfo = "client_info"
  }

  let id: HomeAccountID
  let field: Field

  init?(_ token: borrowing LegacyToken) {
    for field in Field.allCases {
      let id =
        switch field {
        case .homeAccountID: token.homeAccountID.flatMap { HomeAccountID($0) }
        case .clientInfo: token.clientInfo.flatMap { HomeAccountID(clientInfo: $0) }
        }
      guard let id else { continue }
      (self.id, self.field) = (id, field)
      return
    }
    return nil
  }
}
