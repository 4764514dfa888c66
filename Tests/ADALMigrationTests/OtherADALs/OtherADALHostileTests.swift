// SPDX-License-Identifier: MIT
import ADALCache
import Foundation
import KeychainItems
import MSALCache
import SyntheticCaches
import Testing

@testable import ADALMigration
import MigrationDocuments
@testable import MigrationReports

/// The laws for other ADALs' caches: no secret shows, nothing is lost, whatever the bytes are.
@Suite struct OtherADALHostileTests {
  @Test("no token is in anything that is printed", arguments: OtherADALVector.all)
  func secrets(vector: OtherADALVector) throws {
    let (report, _) = try vector.migrate()
    var windows = ByteWindows(
      except: vector.rows.flatMap { [$0.client, $0.resource ?? ""] }, width: 8)
    for row in vector.rows {
      for token in [row.accessToken, row.refreshToken] {
        // Their common beginning is not a secret.
        windows.add(String((token ?? "").dropFirst("at-placeholder.".count)), width: 12)
      }
    }
    for format in ReportFormat.allCases {
      #expect(windows.first(in: format.render(report.unmasked())) == nil, "\(format)")
    }
    #expect(windows.first(in: String(reflecting: report)) == nil)
  }

  @Test("no name is where names are masked", arguments: OtherADALVector.all)
  func names(vector: OtherADALVector) throws {
    let (report, _) = try vector.migrate()
    let names = Set(report.accounts.compactMap(\.userID)).filter { $0.contains("@") }
    for format in ReportFormat.allCases {
      let text = format.render(report.masked()).lowercased()
      for name in names { #expect(!text.contains(name.lowercased()), "\(format)") }
    }
  }

  @Test("damaged bytes give a report or an error, and lose no row", arguments: [1, 2, 3])
  func damaged(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for vector in OtherADALVector.all.filter({ $0.rowCount > 2 }) {
      var bytes = try vector.cache
      for _ in 0..<4 {
        let place = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 3 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
        }
      }
      try check(bytes, vector)
      try check(Array(bytes.prefix(Int(random.next() % UInt64(bytes.count)))), vector)
    }
  }

  private func check(_ bytes: [UInt8], _ vector: OtherADALVector) throws {
    let source: Source = vector.isBlob ? .dotNet(bytes) : .list(bytes, timeZone: .gmt)
    let folder = MemoryFolder()
    let now = vector.now
    for target in [Target.folder(folder), .document(MemoryDocument())] {
      let migration = Migration(
        from: source, into: target, now: { Date(timeIntervalSince1970: now) })
      do {
        let report = try migration.run()
        #expect(
          report.summary.rows
            == report.summary.converted + report.summary.alreadyThere + report.summary.notConverted)
        #expect(report.entries.allSatisfy { !$0.reasons.isEmpty })
        #expect(report.entries.allSatisfy { !$0.reasons.contains(.checkNotFound) })
        #expect(try migration.run().summary.written == 0)
      } catch let error as StoreError {
        #expect(error.code == .notACache)
      }
    }
    for (name, bytes) in folder.written {
      let document = try CacheDocument(bytes)
      let homes = (document.accounts + document.credentials).map(\.value.homeAccountID)
      #expect(homes.allSatisfy { PersonalDocument.name(of: $0 ?? "") == name })
    }
  }
}
