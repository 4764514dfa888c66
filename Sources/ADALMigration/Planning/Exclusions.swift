// SPDX-License-Identifier: MIT
import MSALCache

/// The parts that a plan leaves out because the check did not find them. Each one is a bug in this package. It does not
/// stop other accounts.
struct Exclusions: Sendable {
  /// The part of an account that is left out.
  enum Part: Sendable {
    /// Everything that would be made of its rows.
    case everything
    /// Its access tokens, which it stays signed in without.
    case accessTokens
  }

  private(set) var misses: Set<PlanCheck.Miss> = []
  private var parts: [Grouped<AccountKey>: Part] = [:]

  /// Adds the misses of a check.
  ///
  /// - Returns: whether that is more than was known.
  mutating func insert(_ misses: Set<PlanCheck.Miss>) -> Bool {
    let known = self.misses.count
    self.misses.formUnion(misses)
    for miss in misses where parts[miss.signIn.account] != .everything {
      parts[miss.signIn.account] = miss.question.part
    }
    return self.misses.count > known
  }

  /// The part of an account that is left out; nil for an account without exclusions.
  func part(of account: PlannedAccount) -> Part? {
    parts.isEmpty ? nil : parts[Grouped(account)]
  }
}

extension PlanCheck.Question {
  /// The part that is not written if the question has no answer.
  var part: Exclusions.Part {
    switch self {
    case .accounts, .accountByUserName, .refreshToken: .everything
    case .accessToken, .idToken: .accessTokens
    }
  }
}
