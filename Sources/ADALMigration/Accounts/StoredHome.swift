// SPDX-License-Identifier: MIT
import ADALCache
import MSALCache

/// A home account ID, by its number, with the field that stores it. The ID that a row derives is its ``Derivation``.
/// The ID that MSAL's fallback reads is ``ADALCache/LegacyToken/fallbackIdentifier``.
struct StoredHome: Sendable, Hashable {
  /// A field that stores the ID. The first field with an ID counts.
  enum Field: Int, CaseIterable {
    case homeAccountID, clientInfo

    /// The field as the evidence names it.
    var name: String {
      switch self {
      case .homeAccountID: "homeAccountId"
      case .clientInfo: "client_info"
      }
    }

    fileprivate func text(in token: LegacyToken) -> String? {
      switch self {
      case .homeAccountID: token.homeAccountID
      case .clientInfo: token.clientInfo
      }
    }

    fileprivate func home(in text: String) -> HomeAccountID? {
      switch self {
      case .homeAccountID: HomeAccountID(text)
      case .clientInfo: HomeAccountID(clientInfo: text)
      }
    }
  }

  /// The texts of one field, with the number of the home account ID in each; nil for a text without one.
  struct Texts {
    fileprivate var numbers = TextNumbers()
    fileprivate var homes: [Int?] = []
  }

  let number: Int
  let field: Field
}

extension RowReader {
  /// The home account ID that the service gave for this very row.
  mutating func storedHome(of token: LegacyToken) -> StoredHome? {
    for place in storedHomes.indices {
      guard let field = StoredHome.Field(rawValue: place), let text = field.text(in: token) else {
        continue
      }
      let found = storedHomes[place].numbers.insert(text)
      if found.isNew {
        storedHomes[place].homes.append(field.home(in: text).map { number(of: $0) })
      }
      if let home = storedHomes[place].homes[found.number] {
        return StoredHome(number: home, field: field)
      }
    }
    return nil
  }
}
