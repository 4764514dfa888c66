// SPDX-License-Identifier: MIT
import MSALCache

extension TokenCacheMigration {
  /// A report to print, the input of every format.
  ///
  /// ``Report/masked(_:)`` returns it, or with real names ``Report/unmasked()``. Its JSON follows
  /// `Schemas/report.schema.json`.
  public struct MaskedReport: Sendable, Equatable {
    /// The report with its user names replaced. It needs no further mask.
    package let content: Report

    /// A report as it is.
    package init(_ content: consuming Report) { self.content = content }

    /// A report with masked user names. It is taken over: to mask a copy would copy each row.
    package init(masking unmasked: consuming Report, with nameMask: NameMask) {
      var report = unmasked
      var mask = ReportMask(report, nameMask)
      for index in report.accounts.indices { report.accounts[index].mask(with: &mask) }
      for index in report.entries.indices { report.entries[index].mask(with: &mask) }
      for index in report.findings.indices {
        report.findings[index].fragments = report.findings[index].fragments.map { fragment in
          switch fragment {
          case .text: fragment
          case .user(let name): .user(mask.name(name))
          }
        }
      }
      content = report
    }
  }
}

extension Report {
  /// The version of adal2msal that makes reports.
  package static let toolVersion = "0.1.0"
  /// The address of adal2msal and MIGRATION.md.
  package static let homepage = "https://github.com/adal2msal/adal2msal"

  /// The report with masked user names, also in messages and identifiers, and without rows' keychain accounts.
  ///
  /// A home account ID is masked unless it is two GUIDs.
  ///
  /// - Parameter nameMask: the mask of MSAL's log, or one with a key for reports that leave the team.
  public func masked(_ nameMask: TokenCacheMigration.NameMask = .msal)
    -> TokenCacheMigration.MaskedReport
  {
    MaskedReport(masking: self, with: nameMask)
  }

  /// The report with the real user names, for local use.
  public func unmasked() -> TokenCacheMigration.MaskedReport {
    MaskedReport(self)
  }

  /// A user name as MSAL's log shows it, so that a report and a log can be laid side by side:
  /// `auth.placeholder-9f86d081__contoso.com`.
  ///
  /// The eight digits are the first of the SHA-256 of the lower-cased part before the first `@`, in
  /// UTF-8. A name without `@` becomes the first eight digits of its own SHA-256; an empty one stays
  /// empty. Source: common core, MSIDMaskedUsernameLogParameter.
  package static func mask(_ userName: String) -> String {
    guard !userName.isEmpty else { return "" }
    guard let at = userName.unicodeScalars.firstIndex(of: "@") else {
      return digest(userName, digits: 8)
    }
    let scalars = userName.unicodeScalars
    let local = String(scalars[..<at]).lowercasedLikeNSString
    let domain = String(scalars[scalars.index(after: at)...])
    return "auth.placeholder-\(digest(local, digits: 8))__\(domain)"
  }

  /// The first hex digits of the SHA-256 of a text in UTF-8.
  package static func digest(_ text: String, digits: Int) -> String {
    String(SHA256Digits.text(of: Array(text.utf8)).prefix(digits))
  }
}
