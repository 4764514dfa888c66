// SPDX-License-Identifier: MIT

extension Reason {
  /// The facts about a reason that the planner, reports and lists use.
  struct Facts: Sendable {
    let topic: Topic
    let rank: Rank
    let roles: Roles
    let summary: String
    let remedy: String
  }

  /// The rank of a reason within its row: obstacles first, then outcomes, then evidence of the account, then remarks.
  enum Rank: Int, Sendable {
    case obstacle, outcome, home, remark
  }

  /// The effect of a reason on the account of its row.
  struct Roles: OptionSet, Sendable {
    let rawValue: Int
    /// The row was converted without a problem: not a finding.
    static let success = Roles(rawValue: 1)
    /// The conversion rests on an assumption that the team should check.
    static let assumption = Roles(rawValue: 2)
    /// The refresh token is not converted for this reason.
    static let blocksSignIn = Roles(rawValue: 4)
  }
}

/// Shorthands for the table of reasons.
extension Reason.Facts {
  static func obstacle(
    _ topic: Reason.Topic, _ summary: String, _ remedy: String = "nothing to do",
    is roles: Reason.Roles = []
  ) -> Reason.Facts {
    Reason.Facts(topic: topic, rank: .obstacle, roles: roles, summary: summary, remedy: remedy)
  }

  static func outcome(
    _ topic: Reason.Topic, _ summary: String, _ remedy: String = "nothing to do",
    is roles: Reason.Roles = []
  ) -> Reason.Facts {
    Reason.Facts(topic: topic, rank: .outcome, roles: roles, summary: summary, remedy: remedy)
  }

  static func home(
    _ summary: String, _ remedy: String = "nothing to do", is roles: Reason.Roles = []
  ) -> Reason.Facts {
    Reason.Facts(topic: .home, rank: .home, roles: roles, summary: summary, remedy: remedy)
  }

  static func remark(
    _ topic: Reason.Topic, _ summary: String, _ remedy: String = "nothing to do",
    is roles: Reason.Roles = []
  ) -> Reason.Facts {
    Reason.Facts(topic: topic, rank: .remark, roles: roles, summary: summary, remedy: remedy)
  }

  /// A reason why an access token is not carried over: MSAL gets a new one.
  static func renewed(_ summary: String) -> Reason.Facts {
    .outcome(
      .accessTokens, summary, "nothing to do: MSAL gets a new one with the refresh token")
  }

  /// A reason why a refresh token is not converted, so that its user has to sign in.
  static func signIn(
    _ topic: Reason.Topic, _ summary: String, _ remedy: String = "let the user sign in once"
  ) -> Reason.Facts {
    .obstacle(topic, summary, remedy, is: .blocksSignIn)
  }
}

extension Reason {
  /// The reason with this code, in any capitalization, or nil for an unknown code.
  package init?(code: String) {
    self.init(rawValue: code.lowercasedLikeNSString)
  }

  /// The code, as reports write it: `home.guest-unresolved`.
  public var code: String { rawValue }

  /// The anchor of the reason's page in Documentation/reasons.md: `home-guest-unresolved`.
  package var anchor: String {
    let dash = UInt8(ascii: "-")
    return String(
      decoding: rawValue.utf8.map { $0 == UInt8(ascii: ".") ? dash : $0 }, as: UTF8.self)
  }

  /// The event, in a few words without a full stop: `access token has expired`.
  public var summary: String { facts.summary }

  /// The remedy, in one line without a full stop; begins with `nothing to do` if there is none.
  public var remedy: String { facts.remedy }
}
