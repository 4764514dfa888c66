// SPDX-License-Identifier: MIT

/// How much an input may ask for before it is refused.
///
/// An archive can announce more than it holds, nest without end and name one object a million times
/// over. Each limit is far above what ADAL wrote (an item has about 70 objects in 1 to 20 KB) and low
/// enough that the worst input takes less than a second and 200 MB.
public struct Limits: Sendable, Hashable {
  /// Bytes of input. 64 MiB are about 17,000 items in one macOS blob.
  public var size = 64 << 20
  /// Objects in the offset table. 17,000 items have 1.2 million.
  public var objects = 4 << 20
  /// Containers inside each other. ADAL's own nesting is below 10; claims and server answers are JSON
  /// of a few levels. Small enough for the 512 KB stack of a secondary thread.
  public var depth = 64
  /// Units of reading that every input may use, whatever its size: about 10,000 small items. One unit
  /// stands for about a nanosecond and a byte of memory.
  public var baseWork = 32 << 20
  /// Units of reading per byte of input. Above 1, because equal strings are archived once and read
  /// for every item that names them.
  public var workPerByte = 2

  public init() {}

  /// What an input of `size` bytes may use in all: ``baseWork`` and ``workPerByte`` for each byte.
  public func work(forSize size: Int) -> Int {
    let (product, overflow) = size.multipliedReportingOverflow(by: workPerByte)
    let (sum, tooMuch) = product.addingReportingOverflow(baseWork)
    return overflow || tooMuch ? Int.max : sum
  }
}
