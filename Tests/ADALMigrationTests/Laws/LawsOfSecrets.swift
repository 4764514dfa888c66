// SPDX-License-Identifier: MIT
import Foundation
import KeychainItems
import SyntheticCaches
import Testing

@testable import ADALMigration
@testable import MigrationReports

/// Law 6: no token is in anything that is printed, and no user name is where names are masked.
extension LawsCase {
  func checkSecrets() throws {
    // Tenants and user names are in keys as they are in ID tokens.
    let places = cache.items.flatMap { [$0.accessGroup, $0.account, $0.service] }
    var windows = ByteWindows(except: places, width: 12)
    for row in cache.rows.map(\.row) {
      for secret in [row.accessToken, row.refreshToken] { windows.add(secret ?? "", width: 8) }
      windows.add(row.idToken ?? "", width: 12)
    }
    for entry in cache.unified.compactMap(SyntheticEntry.init) {
      let isIDToken = entry["credential_type"] == "IdToken"
      windows.add(entry["secret"] ?? "", width: isIDToken ? 12 : 8)
    }
    let names = Set(cache.people.flatMap(\.allNames))
    for format in ReportFormat.allCases {
      for isMasked in [true, false] {
        let printed = isMasked ? report.masked() : report.unmasked()
        let text = format.render(printed)
        #expect(windows.first(in: text) == nil, "\(format) shows a token")
        guard isMasked else { continue }
        let lower = text.lowercased()
        for name in names { #expect(!lower.contains(name), "\(format) shows a user name") }
      }
    }
    #expect(windows.first(in: String(reflecting: report)) == nil)
    for text in Array(names) + report.namesAndIDs { windows.add(text, width: 8) }
    #expect(windows.first(in: report.masked().telemetry()) == nil, "telemetry names somebody")
  }
}

/// Every window of so many bytes of some texts, to be looked for in others.
struct ByteWindows {
  private var windows: [Int: Set<[UInt8]>] = [:]
  private var first: [Int: [Bool]] = [:]
  private var exempt: Set<[UInt8]>

  /// Windows but for those of one width that some texts have.
  init(except texts: [String], width: Int) {
    exempt = Set(texts.flatMap { Self.slices(of: Array($0.utf8), width: width) })
  }

  /// Adds the windows of a text.
  mutating func add(_ text: String, width: Int) {
    let bytes = Array(text.utf8)
    for window in Self.slices(of: bytes, width: width) where !exempt.contains(window) {
      windows[width, default: []].insert(window)
      first[width, default: Array(repeating: false, count: 65_536)][Self.index(window[...])] = true
    }
  }

  private static func slices(of bytes: [UInt8], width: Int) -> [[UInt8]] {
    guard bytes.count >= width else { return [] }
    return (0...(bytes.count - width)).map { Array(bytes[$0..<($0 + width)]) }
  }

  private static func index(_ window: ArraySlice<UInt8>) -> Int {
    Int(window[window.startIndex]) << 8 | Int(window[window.startIndex + 1])
  }

  /// The first window that a text has.
  func first(in text: String) -> String? {
    let bytes = Array(text.utf8)
    for (width, windows) in windows where bytes.count >= width {
      guard let marks = first[width] else { continue }
      for start in 0...(bytes.count - width) {
        guard marks[Int(bytes[start]) << 8 | Int(bytes[start + 1])] else { continue }
        let window = Array(bytes[start..<(start + width)])
        if windows.contains(window) { return String(decoding: window, as: UTF8.self) }
      }
    }
    return nil
  }
}
