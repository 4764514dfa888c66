// SPDX-License-Identifier: MIT
import ADALMigration
import PlatformFoundation
import LookupAnswers
import MSALCache

/// The inspection of a looked-up cache: the number of each row, which is the same in every command, with its account
/// and a migration's reasons.
struct CacheInspection {
  /// The place of a row, as both look-ups and reports give it.
  private enum RowPlace: Hashable {
    case item(Int)
    case entry(section: String, key: String)
    /// A row of ADAL's blob or list: user, authority, resource and client.
    case blob([String])
  }

  let report: Report
  private var rows: [RowPlace: Int] = [:]

  init(_ cache: Source, now: Double) throws {
    report = try Failure.reading([cache]) {
      try Migration.inspect([cache], now: Date(timeIntervalSince1970: now)).report
    }
    for entry in report.entries { rows[Self.place(of: entry, in: cache)] = entry.row }
  }

  private static func place(of entry: Report.Entry, in cache: Source) -> RowPlace {
    switch cache.content {
    case .items: .item(entry.place.index)
    case .document:
      .entry(section: section(of: entry.kind), key: entry.place.service ?? "")
    case .blob, .tokens:
      .blob(
        [entry.place.account, entry.authority, entry.resource, entry.clientID].map {
          ($0 ?? "").lowercasedLikeNSString
        })
    }
  }

  static func section(of kind: Report.RowKind) -> String {
    let section: DocumentSection =
      switch kind {
      case .unifiedAccessToken: .accessToken
      case .unifiedIDToken: .idToken
      case .unifiedAccount: .account
      case .unifiedAppMetadata: .appMetadata
      default: .refreshToken
      }
    return section.rawValue
  }

  /// The number of the row that a candidate is.
  ///
  /// - Parameter items: the items that were asked; nil for a document.
  func row(of place: LookupCandidate.EntryPlace, in items: LookupItems?) -> Int? {
    switch place {
    case .entry(let section, let key): rows[.entry(section: section.rawValue, key: key)]
    case .item, .fallbackRow:
      if let number = items?.number(of: place) {
        rows[.item(number)]
      } else if let key = items?.row(at: place)?.key, items?.group == nil {
        rows[.blob([key.userID, key.authority, key.resource, key.client].map { $0 ?? "" })]
      } else {
        nil
      }
    }
  }

  /// Whether a name looks like a masked name in reports.
  static func isMask(_ name: String) -> Bool {
    name.hasPrefix("auth.placeholder-") || name.hasPrefix(NameMask.saltedStart)
      || (name.count == 8 && name.allSatisfy { $0.isHexDigit && !$0.isUppercase })
  }

  /// The user name that a mask stands for; nil when no account has it, or a user is really called so.
  ///
  /// - Throws: ``Failure`` of status 64 when it stands for several.
  func name(behind mask: String, _ shown: ShownNames) throws -> String? {
    let names = Set(
      (report.entries.map(\.userID) + report.accounts.map(\.userID)).compactMap { $0 })
    if names.contains(mask) { return nil }
    let meant = names.filter { shown($0) == mask || Report.mask($0) == mask }.sorted()
    guard Set(meant.map { $0.foldedUserName }).count <= 1 else {
      throw Failure(
        .usage, "the name '\(mask)' stands for several accounts of the cache",
        hint: "use '--account-id' instead")
    }
    return meant.first
  }

  func entries(username: String?, accountID: String?) -> [Report.Entry] {
    func isAsked(_ name: String?, _ home: String?) -> Bool {
      if let username { return name?.foldedUserName == username.foldedUserName }
      guard let home, let accountID else { return home == nil && accountID == nil }
      return home.identifier.isExactly(accountID.identifier)
    }
    let accounts = Set(
      report.accounts.indices.filter {
        isAsked(report.accounts[$0].userID, report.accounts[$0].homeAccountID)
      } + report.entries.filter { isAsked($0.userID, $0.homeAccountID) }.compactMap(\.account))
    return report.entries.filter { entry in
      entry.account.map { accounts.contains($0) } ?? isAsked(entry.userID, entry.homeAccountID)
    }
  }

  /// The clients that have something in the cache, sorted; in one access group, or in all.
  func clients(in group: String? = nil) -> [String] {
    let clients = report.entries.filter { group == nil || $0.place.accessGroup == group }
      .compactMap(\.clientID).filter { !FamilyClient.isOne($0) }
    return Set(clients).sorted()
  }

  func groups(of client: String) -> [String] {
    let own = report.entries.filter { $0.clientID?.identifier.isExactly(client.identifier) == true }
    return Set(own.compactMap(\.place.accessGroup)).sorted()
  }
}
