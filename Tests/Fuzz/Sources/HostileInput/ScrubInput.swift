// SPDX-License-Identifier: MIT
import CacheScrub
import KeyedArchive

/// What stands for a token in the inputs (`PLANTED` of seed.py), over and over. Eight bytes of it have more
/// digits than a name that stays.
private let planted = Array("7k3w1q5z9m2x8r4v".utf8)

private let windows = Set(
  planted.indices.map { start in
    (0..<8).map { planted[(start + $0) % planted.count] }
  })

/// Scrubs what `bytes` are, and looks for the token.
func readScrub(_ bytes: [UInt8]) throws {
  var scrub = CacheScrub(seed: planted)
  let made = scrub.bytes(bytes)
  // Numbers that look like it say where objects are.
  let numbers = (try? BinaryPropertyList(bytes)).map(\.tableRange)
  if !hasToken(numbers.map { bytes[$0] } ?? []) {
    try promise(!hasToken(made[...]), "a part of a token is left")
  }
  var again = CacheScrub(seed: planted)
  try promise(again.bytes(bytes) == made, "the same seed gives another cache")
}

private func hasToken(_ bytes: ArraySlice<UInt8>) -> Bool {
  bytes.indices.dropLast(7).contains { windows.contains(Array(bytes[$0..<$0 + 8])) }
}
