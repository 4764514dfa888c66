// SPDX-License-Identifier: MIT
import KeychainItems

/// The order of two rows that differ only in their tokens: the token with the smaller SHA-256 comes first (D2).
///
/// A hash costs as much as the rest of a row, so it is made only for rows that tie, and once for each.
struct TieBreak {
  private let token: (ADALRow) -> TokenSecret?
  private var digests: [Int: String] = [:]

  /// - Parameter token: which of a row's tokens decides.
  init(by token: @escaping (ADALRow) -> TokenSecret?) {
    self.token = token
  }

  /// Whether row `a` comes before `b`: by their tokens, or where these are the same by their numbers.
  mutating func precedes(_ a: ADALRow, _ b: ADALRow) -> Bool {
    guard token(a) != token(b) else { return a.number < b.number }
    return digest(of: a) < digest(of: b)
  }

  private mutating func digest(of row: ADALRow) -> String {
    if let known = digests[row.number] { return known }
    let digest = token(row)?.digest ?? ""
    digests[row.number] = digest
    return digest
  }
}
