// SPDX-License-Identifier: MIT

// Scopes as MSAL compares them: words between spaces, trimmed and lower-cased, in no order.
extension String {
  // No request has room for more; the words of a longer text are not taken apart.
  private static let longestTarget = 1 << 16

  /// The scopes of a target.
  package var scopeWords: [String] {
    guard utf8.count <= Self.longestTarget else { return [self] }
    // Most often there is one.
    if isOneWord { return [normalized] }
    return unicodeScalars.split(separator: " ").lazy.map { String($0).normalized }
      .filter { !$0.isEmpty }
  }

  /// Whether a target has all of these scopes.
  package func hasScopes(_ wanted: [String]) -> Bool {
    let scopes = scopeWords
    // Most often there is one.
    if scopes.count == 1 { return wanted.allSatisfy { $0.isExactly(scopes[0]) } }
    let set = Set(scopes.map { ExactText($0) })
    return wanted.allSatisfy { set.contains($0) }
  }
}
