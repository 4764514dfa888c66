// SPDX-License-Identifier: MIT
import CacheJSON
import CacheScrub
import KeyedArchive

/// The replacement of a token in the inputs (`PLANTED` of seed.py), repeated. Eight bytes of it have more digits than a
/// name that stays, and each has two decimal digits in hexadecimal, as numbers that stay have.
private let planted = Array("7e3w1q5t9g2x8r4v".utf8)

private let windows = Set(
  planted.indices.map { start in
    (0..<8).reduce(0 as UInt64) { $0 << 8 | UInt64(planted[(start + $1) % planted.count]) }
  })

/// Scrubs what `bytes` are, and looks for the token: as it is, and behind escapes and digits as seed.py spells it.
func readScrub(_ bytes: [UInt8]) throws {
  var scrub = CacheScrub(seed: planted)
  let made = scrub.bytes(bytes)
  // Numbers that look like it say where objects are.
  let numbers = (try? BinaryPropertyList(bytes)).map(\.tableRange)
  if !hasToken(numbers.map { Array(bytes[$0]) } ?? []) {
    try promise(!hasToken(made), "a part of a token is left")
    // As scrub alone leaves it the command refuses to write it.
    if hasSpelledToken(made) || hasToken(made.filter { $0 != 0 }) {
      try promise(isFound(in: made, of: bytes), "a part of a token is left that no search finds")
    }
  }
  // The same once in a while: it takes as long again.
  guard bytes.count % 8 == 0 else { return }
  var again = CacheScrub(seed: planted)
  try promise(again.bytes(bytes) == made, "the same seed gives another cache")
}

private func hasToken(_ bytes: [UInt8]) -> Bool {
  var (window, count): (UInt64, Int) = (0, 0)
  return bytes.contains { byte in
    window = window << 8 | UInt64(byte)
    count += 1
    // A window of the token has nothing but small letters and digits.
    return count >= 8 && byte & 0x80 == 0 && windows.contains(window)
  }
}

/// Whether the token is left in one of the spellings of seed.py.
private func hasSpelledToken(_ bytes: [UInt8]) -> Bool {
  spelled.contains { spelled in
    let first = spelled[0]
    return bytes.indices.dropLast(spelled.count - 1).contains { start in
      bytes[start] == first && bytes[start...].starts(with: spelled)
    }
  }
}

/// Eight bytes of the token in hexadecimal digits, and in escapes of URLs, JSON and XML.
private let spelled: [[UInt8]] = {
  let window = planted[..<8]
  return [
    Array(Hexadecimal.text(of: Array(window)).utf8),
    window.flatMap { Array("%\(Hexadecimal.text(of: [$0]))".utf8) },
    window.flatMap { Array("\\u00\(Hexadecimal.text(of: [$0]))".utf8) },
    window.flatMap { Array("&#\($0);".utf8) },
  ]
}()

/// Whether the command would refuse to publish what was made.
private func isFound(in made: [UInt8], of source: [UInt8]) -> Bool {
  var windows = SourceWindows(size: source.count)
  windows.add(source)
  var search = LeftoverSearch(windows)
  search.look(in: made)
  search.confirm(by: source)
  return search.hasFound
}
