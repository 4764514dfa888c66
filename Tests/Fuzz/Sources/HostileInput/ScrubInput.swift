// SPDX-License-Identifier: MIT
import CacheScrub

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
  for place in made.indices.dropLast(7) {
    try promise(
      !windows.contains(Array(made[place..<place + 8])), "a part of a token is left at \(place)")
  }
  var again = CacheScrub(seed: planted)
  try promise(again.bytes(bytes) == made, "the same seed gives another cache")
}
