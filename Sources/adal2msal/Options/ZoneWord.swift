// SPDX-License-Identifier: MIT
import ArgumentParser
import CacheFiles
import PlatformFoundation

/// A time zone as `--time-zone` takes it: a name of this machine's time zone database, or how far ahead of UTC it is.
enum ZoneWord {
  static func checked(_ word: String) throws -> String {
    if offset(word) != nil { return word }
    guard isName(word) else {
      throw ValidationError("use a name (Europe/Berlin, UTC) or an offset (+02:00)")
    }
    guard isKnown(word) else {
      throw ValidationError("this machine has no such time zone; use an offset (+02:00)")
    }
    return word
  }

  /// The seconds of `+02:00`, `-0330`, `UTC` or `GMT`; nil for other words.
  static func offset(_ word: String) -> Int? {
    if word == "UTC" || word == "GMT" { return 0 }
    guard let sign = word.first, sign == "+" || sign == "-" else { return nil }
    let digits = word.dropFirst().filter { $0 != ":" }
    guard digits.count == 4, digits.utf8.allSatisfy({ (48...57).contains($0) }),
      let hours = Int(digits.prefix(2)), hours <= 14, let minutes = Int(digits.suffix(2)),
      minutes < 60
    else { return nil }
    return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  /// `Europe/Berlin`: words of letters, digits and signs, which cannot leave the folder of the database.
  private static func isName(_ word: String) -> Bool {
    let parts = word.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count > 1
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.unicodeScalars.allSatisfy {
            $0.isLetterOrDigit || "_+-".unicodeScalars.contains($0)
          }
      }
  }

  /// The C library takes a name that it does not know for UTC.
  private static func isKnown(_ name: String) -> Bool {
    let file = try? CacheFile.bytes(of: "/usr/share/zoneinfo/\(name)")
    return file?.starts(with: "TZif".utf8) ?? false
  }
}

extension Unicode.Scalar {
  fileprivate var isLetterOrDigit: Bool {
    isASCII && (properties.isAlphabetic || ("0"..."9").contains(self))
  }
}
