// SPDX-License-Identifier: MIT
import CacheJSON
import MSALCache
import MSALLookup

/// An answer that a query carries, to be compared with the one that a look-up gives
/// (`vectors/lookup/README.md`).
package struct RecordedAnswer: Sendable, Equatable {
  private let answers: [JSONValue]
  /// Whether identifier, user name and environment may be those of any of an account's tenants.
  private let isLoose: Bool

  /// What this query carries: `answer`, and where the order of a set decides, `alternatives`.
  package init(_ query: JSONValue) {
    let members = query.object ?? [:]
    var answers = [members["answer"]].compactMap { $0 }
    if case .array(let alternatives)? = members["alternatives"] { answers += alternatives }
    isLoose = members["alternatives"] == .array([]) && members["orderDependent"] == .bool(true)
    self.answers = answers.map { Self.normal($0, isLoose: false) }
  }

  /// Whether the query carries an answer at all.
  package var isPresent: Bool { !answers.isEmpty }

  /// Whether `answer` is one of the answers; lists are compared as sets.
  package func agrees(with answer: JSONValue) -> Bool {
    let answer = Self.normal(answer, isLoose: false)
    if answers.contains(answer) { return true }
    let loose = Self.normal(answer, isLoose: true)
    return isLoose && answers.contains { Self.normal($0, isLoose: true) == loose }
  }

  /// The same value with the elements of every list in one order.
  private static func normal(_ value: JSONValue, isLoose: Bool) -> JSONValue {
    switch value {
    case .array(let elements):
      let normal = elements.map { self.normal($0, isLoose: isLoose) }
      let sorted = normal.map { ($0, $0.encoded()) }
        .sorted { $0.1.lexicographicallyPrecedes($1.1) }
      return .array(sorted.map { $0.0 })
    case .object(var members):
      if isLoose, members["tenantProfiles"] != nil {
        for name in ["identifier", "username", "environment"] { members[name] = nil }
      }
      return .object(members.mapValues { normal($0, isLoose: isLoose) })
    default: return value
    }
  }
}
