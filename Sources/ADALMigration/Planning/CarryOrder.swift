// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache

/// In which order entries in MSAL's form are carried: of several that MSAL knows as one, the one to keep
/// comes first.
///
/// Access tokens by when they end (D2), ID tokens by when they were issued, everything else by when it was
/// stored (mapping-rules §4.c).
enum CarryOrder {
  /// - Parameter rows: entries in MSAL's form, in row order.
  static func winnersFirst(_ rows: [Inventory.Row]) -> [Inventory.Row] {
    var groups: [KeyGroup: [Inventory.Row]] = [:]
    var order: [KeyGroup] = []
    for row in rows {
      let group = KeyGroup(row)
      if groups[group] == nil { order.append(group) }
      groups[group, default: []].append(row)
    }
    return order.flatMap { group -> [Inventory.Row] in
      let rows = groups[group] ?? []
      guard rows.count > 1 else { return rows }
      var ranks = rows.map { Rank($0) }
      let times = Dictionary(grouping: ranks.indices) { ranks[$0].times }
      for tied in times.values where tied.count > 1 {
        for index in tied { ranks[index].findDigest(rows[index]) }
      }
      return zip(rows, ranks).ordered { $0.1.precedes($1.1) }.map(\.0)
    }
  }

  /// Entries that MSAL may treat as one. Access tokens of all scopes form one group, because scopes overlap.
  private struct KeyGroup: Hashable {
    var group: String
    var key: MSALEntry.Key?
    var number: Int?

    init(_ row: Inventory.Row) {
      group = row.group
      if case .unified(let unified) = row.content { key = unified.record?.keys.first }
      if key?.kind == .accessToken { key = key?.of(target: "") }
      // An entry that cannot be read stands for itself.
      number = key == nil ? row.number : nil
    }
  }

  /// The rank of one entry among several.
  private struct Rank {
    var end = -Double.infinity
    var time = -Double.infinity
    /// Only where times tie, since it costs as much as the rest of the entry.
    private var digest = ""
    private let number: Int

    init(_ row: Inventory.Row) {
      number = row.number
      guard case .unified(let unified) = row.content, let record = unified.record else { return }
      time = unified.item?.modified ?? record.storedAt ?? -.infinity
      switch record.kind {
      case .account, .appMetadata: return
      case .accessToken, .accessTokenWithAuthScheme:
        end = record.expiresOn.flatMap(Double.init).flatMap { $0.isNaN ? nil : $0 } ?? end
      case .idToken, .v1IDToken:
        end = IDTokenClaims(record.secret)?.issuedAt ?? end
      default: break
      }
    }

    var times: [Double] { [end, time] }

    mutating func findDigest(_ row: Inventory.Row) {
      guard case .unified(let unified) = row.content, let record = unified.record,
        record.kind?.isToken ?? false
      else { return }
      digest = record.secret.digest
    }

    func precedes(_ other: Self) -> Bool {
      if end != other.end { return end > other.end }
      if time != other.time { return time > other.time }
      return digest != other.digest ? digest < other.digest : number < other.number
    }
  }
}

extension MSALEntry {
  /// The time when a token was stored, as far as the entry itself gives it; Unix seconds.
  var storedAt: Double? {
    guard kind?.isToken ?? false else { return nil }
    return [cachedAt, additional["last_modification_time"]?.string].lazy
      .compactMap { $0.flatMap(Double.init) }.first { $0.isFinite }
  }

  /// Whether another record is equal for MSAL in any place: the same token, or the same fields.
  func holdsTheSame(as other: MSALEntry) -> Bool {
    if kind?.isToken ?? false, other.kind?.isToken ?? false {
      return kind == other.kind && secret == other.secret
    }
    return moved(to: other.environment ?? "") == other
  }

  /// The reason for an entry that another carried entry replaces.
  var reasonWhenSuperseded: Reason {
    switch kind {
    case .account: .keepAccount
    case .appMetadata: .keepAppMeta
    case .accessToken, .accessTokenWithAuthScheme: .atSuperseded
    case .idToken, .v1IDToken: .idTokenSuperseded
    default: .rtDuplicate
    }
  }
}
