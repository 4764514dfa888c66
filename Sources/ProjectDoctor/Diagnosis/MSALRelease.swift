// SPDX-License-Identifier: MIT

/// A release of MSAL and the systems that it needs.
///
/// Read from MSAL's CHANGELOG and podspecs; a test compares the table with them once a year.
package struct MSALRelease: Sendable, Hashable {
  /// The release, `2.14.0`.
  package var version: String
  /// The least iOS that it runs on.
  package var iOS: String
  /// The least macOS that it runs on.
  package var macOS: String

  func least(_ platform: Platform) -> String { platform == .iOS ? iOS : macOS }

  /// The newest release that this build knows.
  package static let newest = table[0].last

  /// From which release to which one the same systems are needed, the newest first.
  private static let table: [(from: String, last: MSALRelease)] = [
    ("2.1.0", MSALRelease(version: "2.14.0", iOS: "16.0", macOS: "11.0")),
    ("1.5.0", MSALRelease(version: "2.0.0", iOS: "14.0", macOS: "10.15")),
    ("1.2.6", MSALRelease(version: "1.4.2", iOS: "14.0", macOS: "10.13")),
    ("1.1.8", MSALRelease(version: "1.2.5", iOS: "11.0", macOS: "10.12")),
    ("0.0.0", MSALRelease(version: "1.1.7", iOS: "10.0", macOS: "10.11")),
  ]

  /// The systems that MSAL's branch for development asks for: a later minor release may need them.
  static let announced = (iOS: "17.0", macOS: "14.0")

  static func newest(onIOS version: String) -> MSALRelease? {
    table.lazy.map(\.last).first { !version.isOlderVersion(than: $0.iOS) }
  }

  /// The requirement for a package manager: this release and its fixes, because a later minor release may need a newer
  /// system than the app supports.
  var withFixes: (pod: String, package: String) {
    let numbers = version.split(separator: ".")
    let full = (numbers + ["0", "0"]).prefix(3).joined(separator: ".")
    return ("~> \(full)", ".upToNextMinor(from: \"\(full)\")")
  }
}

extension MSALRelease {
  /// The release with this number, of up to three numbers with dots; nil for other text.
  package init?(_ version: String) {
    let parts = version.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), parts.allSatisfy({ UInt32($0) != nil }),
      let row = Self.table.first(where: { !version.isOlderVersion(than: $0.from) })
    else { return nil }
    self = row.last
    self.version = version
  }
}

extension StringProtocol {
  /// Whether one version is before another. A missing or malformed number counts as zero.
  func isOlderVersion(than other: some StringProtocol) -> Bool {
    func numbers(_ text: some StringProtocol) -> [UInt32] {
      let numbers = text.split(separator: ".").prefix(4).map {
        UInt32($0.prefix { $0.isNumber }) ?? 0
      }
      return numbers + Array(repeating: 0, count: 4 - numbers.count)
    }
    return numbers(self).lexicographicallyPrecedes(numbers(other))
  }
}
