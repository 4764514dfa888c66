// SPDX-License-Identifier: MIT
import CacheJSON
import KeychainItems

/// The content that only this cache has, as windows of eight bytes. An anonymized cache must not contain any of them.
///
/// The texts come from ``Readings``, not from the readers of fields that scrub. A window counts when at least
/// three of its bytes are of words that ``OrdinaryWords`` has not.
///
/// ```swift
/// var windows = SourceWindows(size: cache.count)
/// windows.add(cache)
/// var scrub = CacheScrub(seed: seed, avoiding: windows)
/// var search = LeftoverSearch(windows)
/// search.look(in: scrub.bytes(cache))
/// ```
package struct SourceWindows: Sendable {
  private var windows: HashFilter
  private var words: HashFilter
  private let common: OrdinaryWords

  /// - Parameters:
  ///   - size: How many bytes the cache has; memory grows with it.
  ///   - kept: Identifiers that stay, such as client ids.
  package init(size: Int, keeping kept: Set<String> = []) {
    windows = HashFilter(capacity: size)
    words = HashFilter(capacity: size / 4)
    common = OrdinaryWords(keeping: kept)
  }

  /// Adds the bytes of a cache, or a text about it.
  package mutating func add(_ bytes: [UInt8]) {
    let common = common
    Readings.read(bytes) { text in
      common.visitWindows(of: text) {
        words.insert($0)
        return false
      } _: {
        windows.insert($0.bytes)
      }
    }
  }

  /// Whether a window may be one of the source's; it is one or, seldom, is not.
  func mayHave(window: UInt64) -> Bool { windows.mayHave(window) }

  /// Whether a word may be one that only the source has.
  func mayHave(word: [UInt8]) -> Bool { words.mayHave(OrdinaryWords.hash(of: word)) }

  /// Calls `visit` with each window of some bytes that counts.
  ///
  /// Two names of others can stand beside each other as in the source by chance. So a window that has parts of
  /// several words is a suspect only when one of them is a whole word of the source's.
  fileprivate func visitWindows(
    of bytes: [UInt8], _ visit: (_ window: UInt64, _ isSuspect: Bool) -> Void
  ) {
    Readings.read(bytes) { text in
      common.visitWindows(of: text, words.mayHave) {
        visit($0.bytes, ($0.isOneWord || $0.hasMarkedWord) && mayHave(window: $0.bytes))
      }
    }
  }
}

/// A search for windows of a source in its anonymized copy.
///
/// The filter of ``SourceWindows`` answers *perhaps* for some windows that the source does not have. Those few are
/// kept, and the source is read a second time for them.
package struct LeftoverSearch {
  private let source: SourceWindows
  private var suspects: Set<UInt64> = []
  /// Whether a window of the source was found for certain.
  package private(set) var hasFound = false

  package init(_ source: SourceWindows) { self.source = source }

  /// Whether the source must be read again, with ``confirm(by:)``.
  package var hasSuspects: Bool { !suspects.isEmpty }

  package mutating func look(in bytes: [UInt8]) {
    let source = source
    source.visitWindows(of: bytes) { if $1 { suspects.insert($0) } }
  }

  /// Checks whether bytes of the source contain the suspects.
  package mutating func confirm(by bytes: [UInt8]) {
    guard hasSuspects, !hasFound else { return }
    let source = source
    source.visitWindows(of: bytes) { window, _ in
      hasFound = hasFound || suspects.contains(window)
    }
  }
}

extension KeychainItem {
  package var parts: [[UInt8]] {
    let texts = [accessGroup, account, service, label, itemDescription, comment, accessibility]
    // Reveal: only hashes of windows are kept, and of nothing that all caches have.
    let data = [generic, data?.reveal()]
    return texts.compactMap { $0.map { Array($0.utf8) } } + data.compactMap(\.self)
  }
}

/// A set of hashes in a byte for each, which may take one that is not in it for one that is.
struct HashFilter: Sendable {
  private var blocks: [UInt64]

  /// - Parameter capacity: How many hashes will be in it. With more it takes more for one of them.
  init(capacity: Int) {
    var count = 64
    while count < capacity / 8, count < Self.mostBlocks { count *= 2 }
    blocks = Array(repeating: 0, count: count)
  }

  /// 2 GiB, for twice the largest file that is read.
  private static let mostBlocks = 1 << 28

  mutating func insert(_ hash: UInt64) {
    let (block, bits) = place(of: hash)
    blocks[block] |= bits
  }

  func mayHave(_ hash: UInt64) -> Bool {
    let (block, bits) = place(of: hash)
    return blocks[block] & bits == bits
  }

  /// Which block, and three bits of it.
  private func place(of hash: UInt64) -> (Int, UInt64) {
    var mixed = (hash ^ hash &>> 32) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed &>> 29) &* 0xBF58_476D_1CE4_E5B9
    let bits = 1 &<< (mixed & 63) | 1 &<< (mixed &>> 6 & 63) | 1 &<< (mixed &>> 12 & 63)
    return (Int(truncatingIfNeeded: mixed &>> 24) & (blocks.count - 1), bits as UInt64)
  }
}
