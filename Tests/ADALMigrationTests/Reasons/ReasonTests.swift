// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import ADALMigration
@testable import MigrationReports

/// The texts of the reasons, and the copy of them in Documentation/reasons.md.
@Suite struct ReasonTests {
  @Test("every reason stands in exactly one topic")
  func topics() {
    #expect(
      Reason.Topic.allCases.flatMap(\.reasons).map(\.code).sorted()
        == Reason.allCases.map(\.code).sorted())
  }

  @Test("a code is found however it is written", arguments: Reason.allCases)
  func codes(reason: Reason) {
    #expect(Reason(code: reason.code.uppercased()) == reason)
    #expect(reason.code.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)+/) != nil)
  }

  @Test func unknownCode() {
    #expect(Reason(code: "merge.rt") == nil)
    #expect(Reason(code: "") == nil)
  }

  @Test("anchors are unique")
  func anchors() {
    #expect(Set(Reason.allCases.map(\.anchor)).count == Reason.allCases.count)
    #expect(Reason.homeGuestUnresolved.anchor == "home-guest-unresolved")
    #expect(Reason.okIDTokenV1.anchor == "ok-idtoken-v1")
  }

  @Test("summaries and remedies are short lines without a full stop", arguments: Reason.allCases)
  func lines(reason: Reason) {
    for line in [reason.summary, reason.remedy] {
      #expect(!line.isEmpty && line.count <= 110)
      #expect(!line.hasSuffix(".") && !line.contains("\n"))
    }
  }

  @Test("every reason has a page, every page a reason, and every paragraph a name")
  func pages() {
    let pages = Reason.pages.all
    #expect(pages.map(\.title).sorted() == Reason.allCases.map(\.code).sorted())
    for page in pages {
      let names = page.paragraphs.map(\.name)
      #expect(names.starts(with: ["", "Why"]) && Set(names).count == names.count, "\(page.title)")
    }
  }

  @Test("paragraphs are sentences", arguments: Reason.allCases)
  func paragraphs(reason: Reason) {
    let text = reason.written
    for paragraph in [text.happened, text.because] + text.advice.map(\.what) {
      #expect(paragraph.count > 10)
      #expect(paragraph.hasSuffix("."))
      #expect(paragraph.first?.isUppercase == true || paragraph.hasPrefix("`"))
    }
    // Somebody has to act, so the page says who can do what.
    if reason.remedy.contains("sign in once") || reason.remedy.contains("account map") {
      #expect(!text.advice.isEmpty)
    }
  }

  @Test("other reasons that a text names exist", arguments: Reason.allCases)
  func references(reason: Reason) {
    for match in reason.markdownPage.matches(of: /`([a-z-]+\.[a-z-]+)`/) {
      let name = String(match.1)
      if name == "uid.utid" || name.hasSuffix(".com") || name.hasSuffix(".csv") { continue }
      #expect(Reason(rawValue: name) != nil, "\(name)")
    }
  }

  @Test("a page fills the width and no more", arguments: [20, 40, 60, 80, 200])
  func width(width: Int) {
    for reason in Reason.allCases {
      let page = reason.page(width: width)
      #expect(page.hasSuffix("\n\nLink: \(PageAddress(reason).url)\n"))
      for line in page.split(separator: "\n").dropLast() {
        // A word that is longer than the line stands alone in it.
        #expect(line.count <= max(40, width) || !line.dropFirst(4).contains(" "), "\(line)")
      }
    }
  }

  @Test func page() {
    #expect(
      Reason.rtTombstone.page() == """
        rt.tombstone: refresh token that the service has rejected

        What happened: ADAL replaced the refresh token with a note that the service
        rejected it. There is nothing to convert.

        Why: The password was changed, the session was revoked, or a policy was applied.
        ADAL keeps such notes for thirty days, to explain a failed silent call.

        Nothing to do: the user already had to sign in with ADAL.
          The user: Sign in if the app asks.

        Link: https://github.com/adal2msal/adal2msal/blob/main/Documentation/reasons.md#rt-tombstone

        """)
  }

  @Test("Documentation/reasons.md has every page as it is here")
  func document() throws {
    let pages = Reason.Topic.allCases.map { topic in
      "## \(topic.rawValue)\n\n" + topic.reasons.map(\.markdownPage).joined(separator: "\n")
    }
    try Golden.check(
      pages.joined(separator: "\n"), inSection: "Reasons",
      of: Golden.package("Documentation/reasons.md"))
  }
}
