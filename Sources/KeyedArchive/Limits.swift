// SPDX-License-Identifier: MIT

/// The most that an input may ask for before it is refused.
///
/// An archive can announce more than it contains, nest without end and name one object a million times. Each limit is
/// far above ADAL's own archives (an item has about 70 objects in 0.3 to 20 KB), and low enough that the worst input
/// takes less than a second and 200 MB.
package struct Limits: Sendable, Hashable {
  /// Bytes of input. 48 MiB are about 13,000 items of the usual size in one macOS blob.
  package var size = 48 << 20
  /// Objects in the offset table. 13,000 items have 900,000.
  package var objects = 2 << 20
  /// Keys of one archived object. ADAL's have up to 17. A dictionary is not limited so: a macOS blob
  /// has one with every user.
  package var fields = 256
  /// Containers inside each other. ADAL's own nesting is below 10; claims and server answers are JSON
  /// of a few levels. Small enough for the 512 KB stack of a secondary thread.
  package var depth = 64

  /// The limits that every honest cache keeps.
  package init() {}

  /// Steps of reading that an input of `size` bytes may take, each about a nanosecond or less.
  ///
  /// The smallest items take 23 for each of their bytes. Class records, keys and equal strings are archived once and
  /// read for every item that names them. An archive that repeats them more often is a bomb.
  package func work(forSize size: Int) -> Int {
    min(4 << 20 + 32 * min(size, self.size), 512 << 20)
  }

  /// Bytes of text, data and decoded rows that an input of `size` bytes may make its reader keep.
  ///
  /// The smallest items make six for each of their bytes. The maximum is enough for 64,000 of them.
  package func memory(forSize size: Int) -> Int {
    min(4 << 20 + 8 * min(size, self.size), 96 << 20)
  }
}
