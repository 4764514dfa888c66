// SPDX-License-Identifier: MIT

/// Scopes as MSAL compares them: words between spaces, trimmed and lower-cased, in no order.
package enum Scopes {
  /// The scopes of a target, equal where Swift's strings are.
  package static func set(of target: String) -> Set<String> { Set(words(of: target)) }

  /// The scopes of a target as MSAL for iOS and macOS compares them, character by character.
  package static func exactSet(of target: String) -> Set<ExactText> {
    Set(words(of: target).map { ExactText($0) })
  }

  /// Whether a target has all of these scopes, which are words.
  package static func areAll(_ scopes: [String], in target: String) -> Bool {
    let others = words(of: target)
    // Most often there is one.
    if others.count == 1 { return scopes.allSatisfy { $0.isExactly(others[0]) } }
    let set = Set(others.map { ExactText($0) })
    return scopes.allSatisfy { set.contains($0) }
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
