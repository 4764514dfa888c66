// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import SyntheticCaches
import Testing

@testable import ADALMigration
@testable import MigrationReceipts

/// Laws for every plan and report, with rows of any user.
extension LawsCase {
  /// Law 1: every row has exactly one entry, with a reason.
  func checkConservation() throws {
    let summary = report.summary
    #expect(
      summary.converted + summary.alreadyThere + summary.notConverted == summary.rows)
    #expect(report.entries.map(\.row) == Array(0..<summary.rows))
    #expect(report.entries.allSatisfy { !$0.reasons.isEmpty })
    let bug = report.findings.first { $0.reason == .checkNotFound }
    #expect(bug == nil, "the check found a bug of ours")
    let unified = route == .blob ? 0 : cache.unified.count + cache.unreadable.count
    #expect(summary.rows == rows.count + unified)
    #expect(summary.foreign == (route == .blob ? 0 : cache.foreign.count))
    #expect(try entriesOfRows().count == rows.count)
    for entry in report.entries where entry.outcome == .converted {
      #expect(!entry.writes.isEmpty, "row \(entry.row) is converted into nothing")
    }
  }

  /// Law 5: a dry run differs from the real one in `applied` alone.
  func checkDryRun() {
    var dry = planned
    dry.kind = .applied
    compare(dry, report)
  }

  /// The same reports; where they differ, by what.
  private func compare(_ one: Report, _ other: Report) {
    guard one != other else { return }
    #expect(one.summary == other.summary)
    for (left, right) in zip(one.entries, other.entries) where left != right {
      #expect(left == right)
    }
    #expect(Set(one.accounts).symmetricDifference(other.accounts) == [])
    #expect(one.findings == other.findings)
    #expect(one == other)
  }

  /// Laws 3 and 4: what was there is there, byte for byte.
  func checkNothingIsChanged() throws {
    #expect(Array(after.prefix(before.count)) == before)
    guard route == .document else { return }
    let later = try Self.sections(document)
    for (section, entries) in try Self.sections(cache.document.bytes) {
      for (key, value) in entries {
        let there = later[section]?[key] as? NSObject
        #expect(there == value as? NSObject, "\(section) \(key) is another")
      }
    }
  }

  /// Law 2: a second run writes nothing, finds there what the first has converted, and says the same of who is
  /// signed in.
  func checkIdempotence() throws {
    let store = OrderedStore(before + added)
    let again = MemoryDocument(document)
    let second = try migration(into: store, again).run()
    #expect(second.summary.written == 0)
    #expect(store.added.compactMap { SyntheticEntry($0)?.payload } == [])
    #expect(again.read() == document)
    #expect(states(second) == states(report))
    var entries: [RowKey: Report.Entry] = [:]
    for entry in second.entries { entries[RowKey(entry, isOfBlob: route == .blob)] = entry }
    for entry in report.entries where entry.outcome == .converted {
      let later = entries[RowKey(entry, isOfBlob: route == .blob)]
      #expect(
        later?.outcome == .alreadyThere,
        "\(entry.kind) \(entry.reasons.map(\.code)), then \(later?.reasons.map(\.code) ?? [])")
    }
  }

  /// The sign-ins, by home account ID, cloud and name.
  func states(_ report: Report) -> [[String?]: [Report.SignedIn]] {
    Dictionary(grouping: report.accounts) {
      [$0.homeAccountID, cloud(of: $0.environment), $0.homeAccountID == nil ? $0.userID : nil]
    }.mapValues { $0.map(\.signedIn).sorted { $0.rawValue < $1.rawValue } }
  }

  /// Law 2 without decoding: a receipt says that there is nothing to do, today and when everything has expired.
  func checkReceipt() throws {
    let store = MemoryStore(before + added)
    let there = MemoryDocument(document)
    let (full, receipt) = try migration(into: store, there).run(since: nil)
    guard let receipt else { return #expect(route == .document) }
    #expect(route != .document)
    #expect(receipt.summary == full?.summary)
    let years = migration(into: store, there, later: 1e8)
    for same in [migration(into: store, there), years] {
      let (report, still) = try same.run(since: receipt)
      #expect(report == nil && still == receipt)
    }
    #expect(try years.run().summary.written == 0)
    let earlier = migration(into: store, there, later: -1)
    #expect(try earlier.run(since: receipt).report != nil)
  }

  /// Law 9: the order of the input does not show.
  func checkOrder() throws {
    var random = SplitMix64(seed: cache.seed)
    switch route {
    case .inPlace:
      let store = OrderedStore(before.shuffled(using: &random))
      let other = try migration(into: store, MemoryDocument()).run()
      compare(other.unnumbered, report.unnumbered)
      #expect(store.added == added)
    case .blob:
      let store = OrderedStore([])
      let now = cache.now
      let other = try Migration(
        from: [.blob(SyntheticRow.blob(rows.map(\.row).shuffled(using: &random)))],
        into: .items(store, accessGroup: SyntheticCache.group), policy: policy,
        now: { Date(timeIntervalSince1970: now) }
      ).run()
      compare(other, report)
      #expect(store.added == added)
    case .elsewhere, .document: break
    }
  }

  /// Law 7: every attribute follows from the payload.
  func checkAttributes() throws {
    for item in added {
      let entry = try #require(SyntheticEntry(item))
      var expected = entry.item(accessGroup: item.accessGroup, at: cache.now)
      expected.data = item.data
      if route == .elsewhere, let source = cache.unified.first(where: { $0.key == item.key }),
        report.entries.contains(where: { entry in
          entry.outcome == .converted && entry.place.accessGroup == source.accessGroup
            && entry.place.account == source.account && entry.place.service == source.service
        })
      {
        // Carried as it is, but for its group, its accessibility and its dates.
        #expect(item.data == source.data)
      }
      #expect(item == expected)
    }
  }

  /// D2: no two access tokens answer to one scope.
  func checkScopes() throws {
    var taken: [[String]: Bool] = [:]
    func take(_ entry: SyntheticEntry, _ group: String, isOurs: Bool) {
      guard entry["credential_type"] == "AccessToken",
        let person = whose(home: entry["home_account_id"], environment: entry["environment"])
      else { return }
      for scope in (entry["target"] ?? "").lowercased().split(separator: " ") {
        let key = [
          group, person.cloud.environment, person.home, entry["client_id"]?.lowercased() ?? "",
          entry["realm"] ?? "", entry["application_cache_identifier"] ?? "", String(scope),
        ]
        #expect(!isOurs || taken[key] == nil, "two access tokens for \(scope)")
        taken[key] = true
      }
    }
    for item in before where item.type == 2001 {
      if let entry = SyntheticEntry(item) { take(entry, item.accessGroup, isOurs: false) }
    }
    for (entry, group) in try written() { take(entry, group, isOurs: true) }
  }

  /// D22: no account before the refresh tokens of its person, no token before all app metadata.
  func checkSequence() throws {
    func step(_ entry: SyntheticEntry) -> Int {
      switch entry["credential_type"] {
      case "IdToken": 1
      case "AccessToken": 2
      case "RefreshToken": 3
      default: entry["authority_type"] == nil ? 0 : 4
      }
    }
    var last: [[String]: Int] = [:]
    var finished: Set<[String]> = []
    var current: [String]?
    for (entry, group) in try route == .document ? [] : written() {
      let person = [group, entry["home_account_id"]?.lowercased() ?? ""]
      #expect(step(entry) >= last[person] ?? 0)
      last[person] = step(entry)
      if person != current {
        #expect(finished.insert(person).inserted, "a person's entries are not together")
        current = person
      }
    }
  }

  /// D22: whatever prefix was written before a failure, running again gives the same in the end.
  func checkPrefixes(_ count: Int) throws {
    guard route != .document, !added.isEmpty else { return }
    var random = SplitMix64(seed: cache.seed)
    for _ in 0..<count {
      let length = Int.random(in: 0..<added.count, using: &random)
      let store = OrderedStore(before + added.prefix(length))
      _ = try migration(into: store, MemoryDocument()).run()
      let difference = Set(store.added).symmetricDifference(added.dropFirst(length))
      #expect(
        difference.map { SyntheticEntry($0)?.payload } == [],
        "after \(length) of \(added.count) entries")
    }
  }
}

extension Report {
  /// The report without the positions of items, which are the input's.
  var unnumbered: Report {
    var report = self
    for index in report.entries.indices { report.entries[index].place.index = 0 }
    return report
  }
}
