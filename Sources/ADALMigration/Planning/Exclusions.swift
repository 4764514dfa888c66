// SPDX-License-Identifier: MIT
import MSALCache

/// What a plan leaves out since the check did not find it. Each is a bug of ours, and none of them stops
/// another account.
struct Exclusions: Sendable {
  /// How much of an account is left out.
  enum Part: Sendable {
    /// Everything that would be made of its rows.
    case everything
    /// Its access tokens, which it stays signed in without.
    case accessTokens
  }

  private(set) var misses: Set<PlanCheck.Miss> = []
  private var parts: [Grouped<AccountKey>: Part] = [:]

  /// Takes in what a check did not find.
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

  /// How much of an account is left out; nil when nothing is.
  func part(of account: PlannedAccount) -> Part? {
    parts.isEmpty ? nil : parts[Grouped(account)]
  }
}

extension PlanCheck.Question {
  /// What is not written when the question has no answer.
  var part: Exclusions.Part {
    switch self {
    case .accounts, .accountByUserName, .refreshToken: .everything
    case .accessToken, .idToken: .accessTokens
    }
  }
}
