// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import MSALCache
import Testing

@testable import ADALMigration

/// Our entries, compared with those that MSAL's own code wrote for the same token responses.
///
/// Every difference stands in `Tests/Goldens/reference-differences.txt`, by name and with its reason. One
/// that has no reason fails, and so does one that stands there and does not occur any more.
@Suite struct ReferenceTests {
  /// The scenarios in which MSAL wrote nothing, since the response had no client_info: what is expected
  /// is written out in `Tests/Goldens/expected-items.txt`.
  static let withoutReference: Set = [
    "upgrade-a-1210", "upgrade-a-227", "upgrade-d-2718", "wipe-user",
  ]

  static let twins = Vectors.adal.filter {
    ((try? Vectors.reference($0.scenario)) ?? nil) != nil
      && !withoutReference.contains($0.scenario)
  }

  @Test("each written entry equals MSAL's own, except for differences with a reason")
  func differences() throws {
    #expect(Self.twins.count == 92)
    var lines: [String] = []
    for vector in Self.twins {
      let (migration, store) = try vector.migration()
      _ = try migration.run()
      let reference = try #require(try Vectors.reference(vector.scenario))
      let ours = try store.items().filter { $0.type != nil }
      for difference in Differences(ours: ours, theirs: reference).list {
        let reason = try #require(
          Self.reason(for: difference, vector), "\(vector.name): \(difference)")
        lines.append("\(vector.name) | \(difference) | \(reason)")
      }
    }
    try Golden.check(lines.joined(separator: "\n") + "\n", "reference-differences.txt")
  }

  @Test("entries that the migration writes and MSAL did not")
  func expectedItems() throws {
    var lines: [String] = []
    for vector in Vectors.adal where Self.withoutReference.contains(vector.scenario) {
      let (migration, store) = try vector.migration()
      let before = Set(try store.items().map(\.key))
      _ = try migration.run()
      lines.append("# \(vector.name)")
      lines += try store.items().filter { !before.contains($0.key) }.map(Self.line)
    }
    try Golden.check(lines.joined(separator: "\n") + "\n", "expected-items.txt")
  }

  private static func line(_ item: KeychainItem) -> String {
    let generic = item.generic.map { String(decoding: $0, as: UTF8.self) } ?? "none"
    let fields = Differences.fields(item).sorted { $0.key < $1.key }
      .map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    return "\(item.type ?? 0) \(item.accessGroup) acct=\(item.account) svce=\(item.service)"
      + " gena=\(generic) pdmn=\(item.accessibility ?? "none") \(fields)"
  }

  /// Why a difference is allowed: a decision says so, or ADAL did not store what it takes.
  private static func reason(for difference: String, _ vector: ADALVector) -> String? {
    let onlyOurs = difference.hasPrefix("only ours")
    let onlyTheirs = difference.hasPrefix("only MSAL's")
    let isOld = vector.name.contains("-1.2.10-")
    switch vector.scenario {
    case "no-refresh-token" where onlyTheirs:
      return "D24: nothing without a refresh token"
    case "guest-user" where onlyTheirs && !vector.name.contains("2.7.18"):
      return "not stored: the home account id of a guest, before 2.7"
    case "single-resource-rt" where onlyOurs && difference.contains(" refreshtoken-"):
      return "D7: a single-resource refresh token is tried"
    case "single-mrrt-novalidation"
    where vector.name.contains("2.7.18") && (onlyOurs || onlyTheirs):
      return "D20: spelled as what ADAL 2.7 wrote itself, under the developer's host"
    case "tenant-domain-authority"
    where onlyOurs && difference.hasSuffix(" contoso.onmicrosoft.com"):
      return "D17: what ADAL 2.7 wrote stays, filed under the domain"
    case "mrrt-many-resources" where onlyTheirs && difference.contains("common"):
      return "D2: the realm is the tid of the ID token, never common"
    case "mrrt-many-resources" where onlyOurs && difference.contains("management.core"):
      return "D2: the realm is the tid of the ID token, never common"
    case "expired-and-valid", "ext-expires":
      if onlyTheirs && difference.contains(" accesstoken-") { return "D2: less than 300 s left" }
    default: break
    }
    if onlyTheirs && isOld && difference.contains(" appmetadata-") {
      return "D4: archives of 1.x do not know families"
    }
    if onlyTheirs && isOld && difference.contains(" refreshtoken-1--") {
      return "not stored: the family, in 1.x"
    }
    if difference.hasPrefix("extended_expires_on:") && isOld {
      return "not stored: the extended expiry, in 1.x"
    }
    if difference.hasPrefix("cached_at:") && !vector.name.contains("2.7.18") {
      return "D15: not stored before 2.7; the ID token's iat stands for it"
    }
    if onlyOurs && vector.hasOldHosts && Differences.isAccount(difference) {
      return "D27: the account under the archived host too"
    }
    return nil
  }
}

extension ADALVector {
  /// Whether rows are filed under another host than the preferred one and stay in the target.
  fileprivate var hasOldHosts: Bool {
    !isMac
      && (name.contains("-1.2.10-") || name.contains("-2.2.7-")
        || scenario == "single-mrrt-novalidation")
  }
}

/// Where two sets of MSAL items differ, one line for each.
struct Differences {
  private(set) var list: [String] = []

  init(ours: [KeychainItem], theirs: [KeychainItem]) {
    let ours = Dictionary(ours.map { (Self.name($0), $0) }) { first, _ in first }
    let theirs = Dictionary(theirs.map { (Self.name($0), $0) }) { first, _ in first }
    for name in Set(ours.keys).union(theirs.keys).sorted() {
      switch (ours[name], theirs[name]) {
      case (let mine?, let other?): compare(mine, other, name)
      case (_?, nil): list.append("only ours: \(name)")
      case (nil, _): list.append("only MSAL's: \(name)")
      }
    }
  }

  /// MSAL's key of the item, with access tokens by their resource.
  private static func name(_ item: KeychainItem) -> String {
    var service = item.service
    if item.type == 2001, service.hasSuffix("/.default") { service.removeLast("/.default".count) }
    return "\(item.accessGroup) \(item.account) \(service)"
  }

  /// Whether a line is about an account: its service is a tenant alone.
  static func isAccount(_ line: String) -> Bool {
    line.split(separator: " ").last?.split(separator: "-").count == 5
  }

  private mutating func compare(_ mine: KeychainItem, _ other: KeychainItem, _ name: String) {
    if mine.type != other.type { list.append("type: \(name)") }
    if mine.generic != other.generic { list.append("generic: \(name)") }
    if mine.accessibility != other.accessibility { list.append("accessibility: \(name)") }
    let (left, right) = (Self.fields(mine), Self.fields(other))
    for field in Set(left.keys).union(right.keys).sorted() where left[field] != right[field] {
      if field == "target", let target = right[field], left[field] == target + "/.default" {
        continue
      }
      list.append("\(field): \(name)")
    }
  }

  static func fields(_ item: KeychainItem) -> [String: String] {
    let bytes = item.data?.reveal() ?? []
    return (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: String] ?? [:]
  }
}
