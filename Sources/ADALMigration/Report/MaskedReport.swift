// SPDX-License-Identifier: MIT
import MSALCache

/// A report as it may be printed: what every format takes.
///
/// It comes from ``Report/masked(_:)``, or with real names from ``Report/unmasked()`` when the caller
/// asked for them. Encoded as JSON it is what `Schemas/report.schema.json` describes.
public struct MaskedReport: Sendable, Equatable {
  /// The report with its user names replaced; nothing in it is to be masked any more.
  package let content: Report
}

extension Report {
  /// The version of adal2msal that makes reports.
  public static let toolVersion = "0.1.0"
  /// Where adal2msal and MIGRATION.md are.
  package static let homepage = "https://github.com/adal2msal/adal2msal"

  /// The report without user names: each is replaced as the mask says, in messages and identifiers too, and
  /// the keychain account of a row is left out. A home account id is masked unless it is two GUIDs.
  ///
  /// - Parameter nameMask: as MSAL's log has names; or with a key, for reports that leave the team.
  public func masked(_ nameMask: NameMask = .msal) -> MaskedReport {
    var report = maskingIdentifiers(nameMask)
    // Of a name that many rows have, the hash is made once.
    var masks: [String: String] = [:]
    func mask(_ name: String) -> String {
      if let mask = masks[name] { return mask }
      let mask = nameMask(name)
      masks[name] = mask
      return mask
    }
    for index in report.accounts.indices {
      report.accounts[index].userID = accounts[index].userID.map(mask)
    }
    for index in report.entries.indices {
      report.entries[index].userID = entries[index].userID.map(mask)
      report.entries[index].place.account = nil
    }
    for index in report.findings.indices {
      report.findings[index].message = findings[index].message.map { fragment in
        switch fragment {
        case .text: fragment
        case .user(let name): .user(mask(name))
        }
      }
    }
    return MaskedReport(content: report)
  }

  /// The report with the real user names, for local use.
  public func unmasked() -> MaskedReport {
    MaskedReport(content: self)
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
