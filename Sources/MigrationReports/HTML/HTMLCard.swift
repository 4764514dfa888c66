// SPDX-License-Identifier: MIT
import ADALMigration

extension HTML {
  /// Something that was found, as a card: a badge, what it is called and how often it is there, a heading,
  /// and more.
  package static func card(
    _ tone: Tone, badge: String, code: String? = nil, count: String? = nil, title: HTML,
    _ content: HTML...
  ) -> HTML {
    .tag(
      .article, .style("card", tone),
      content: .tag(
        .p, .style("about"),
        content: .tag(.span, .style("badge", tone), content: .shown(badge)),
        code.map { [" ", .tag(.code, content: .shown($0))] } ?? .none,
        count.map { [" ", .tag(.span, .style("count"), content: .shown($0))] } ?? .none),
      .tag(.h3, content: title), .group(content))
  }
}

extension HTML.Tone {
  /// How a finding is to be taken.
  package init(_ severity: Report.Severity) {
    self =
      switch severity {
      case .error: .bad
      case .warning: .fair
      case .note: .plain
      }
  }

  /// Whether and how MSAL finds an account.
  init(_ answer: Report.SignedIn) {
    self =
      switch answer {
      case .yes: .good
      case .byUserName: .fair
      case .no: .bad
      }
  }
}
