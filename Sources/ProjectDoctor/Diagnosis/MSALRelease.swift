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
  package static let newest = MSALRelease(needing: table[0], table[0].last)

  private typealias Needs = (from: String, last: String, iOS: String, macOS: String)

  /// From which release to which one which systems are needed, the newest first.
  private static let table: [Needs] = [
    ("2.1.0", "2.14.0", "16.0", "11.0"), ("1.5.0", "2.0.0", "14.0", "10.15"),
    ("1.2.6", "1.4.2", "14.0", "10.13"), ("1.1.8", "1.2.5", "11.0", "10.12"),
    ("0.0.0", "1.1.7", "10.0", "10.11"),
  ]

  /// The systems that MSAL's branch for development asks for: a later minor release may need them.
  static let announced = (iOS: "17.0", macOS: "14.0")

  static func newest(onIOS version: String) -> MSALRelease? {
    table.first { !version.isOlderVersion(than: $0.iOS) }
      .map { MSALRelease(needing: $0, $0.last) }
  }

  /// What a package manager is told: this release and its fixes, since a later minor release may need a newer
  /// system than the app has.
  var withFixes: (pod: String, package: String) {
    let numbers = version.split(separator: ".")
    let full = (numbers + ["0", "0"]).prefix(3).joined(separator: ".")
    return ("~> \(full)", ".upToNextMinor(from: \"\(full)\")")
  }

  /// The release of this number, of up to three numbers with dots; nil when it is none.
  package init?(_ version: String) {
    let parts = version.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), parts.allSatisfy({ UInt32($0) != nil }),
      let row = Self.table.first(where: { !version.isOlderVersion(than: $0.from) })
    else { return nil }
    self.init(needing: row, version)
  }

  private init(needing row: Needs, _ version: String) {
    self.version = version
    iOS = row.iOS
    macOS = row.macOS
  }
}

extension StringProtocol {
  /// Whether one version is before another; missing numbers are zero, what is no number counts as it.
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
