// SPDX-License-Identifier: MIT

/// Scopes as MSAL compares them: words between spaces, trimmed and lower-cased, in no order.
package enum Scopes {
  /// The scopes of a target, equal where Swift's strings are.
  package static func set(of target: String) -> Set<String> { Set(words(of: target)) }

  /// The scopes of a target as MSAL for iOS and macOS compares them, character by character.
  package static func exactSet(of target: String) -> Set<ExactText> {
    Set(words(of: target).map { ExactText($0) })
  }

  /// Whether a target has all of these scopes.
  package static func includes(_ scopes: Set<ExactText>, in target: String) -> Bool {
    // Most often there is one.
    if scopes.count == 1, target.isOneWord, target.utf8.count <= longest {
      return scopes.allSatisfy { $0.text.isExactly(target.normalized) }
    }
    return scopes.isSubset(of: exactSet(of: target))
  }

  // No request has room for more; the words of a longer text are not taken apart.
  private static let longest = 1 << 16

  package static func words(of target: String) -> [String] {
    guard target.utf8.count <= longest else { return [target] }
    // Most often there is one.
    if target.isOneWord { return [target.normalized] }
    return target.unicodeScalars.split(separator: " ").lazy
      .map { String($0).normalized }
      .filter { !$0.isEmpty }
  }
}
