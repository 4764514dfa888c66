// SPDX-License-Identifier: MIT

/// ADAL.NET's blob, written by hand: whatever its parts are.
public struct BlobBytes {
  public var schema: Int32 = 3
  /// How many rows the blob says it has; nil for as many as there are.
  public var announced: Int32?
  public var rows: [(key: [UInt8], value: [UInt8])] = []

  public static let key = "https://login.windows.net/t/:::r:::c:::0"

  /// A blob with one row of each of these values.
  public init(schema: Int32 = 3, _ values: String..., key: String = key) {
    self.schema = schema
    rows = values.map { (Array(key.utf8), Array($0.utf8)) }
  }

  public var bytes: [UInt8] {
    Self.integer(schema) + Self.integer(announced ?? Int32(rows.count))
      + rows.flatMap { Self.string($0.key) + Self.string($0.value) }
  }

  public static func integer(_ value: Int32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  public static func string(_ bytes: [UInt8]) -> [UInt8] { length(bytes.count) + bytes }

  public static func length(_ count: Int) -> [UInt8] {
    var groups: [UInt8] = []
    var rest = count
    while rest >= 0x80 {
      groups.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return groups + [UInt8(rest)]
  }
}
