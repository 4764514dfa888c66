// SPDX-License-Identifier: MIT
import CacheJSON
import SyntheticCaches

/// A way to spell bytes in others.
enum HostileSpelling: CaseIterable {
  case base64, base64URL, hexadecimal, prefixedHexadecimal, percent, percentOfSome
  case escapes, octal, references, hexadecimalReferences, object, claims
  case utf16Little, utf16Big, propertyList, dotNetBlob

  /// So many are in one another at most.
  static let deepest = 6
  /// Longer spellings are not spelled again.
  private static let longest = 250

  /// Whether it makes bytes that are no text.
  var isBinary: Bool {
    switch self {
    case .utf16Little, .utf16Big, .propertyList, .dotNetBlob: true
    default: false
    }
  }

  /// Bytes in up to six spellings, each in the next.
  ///
  /// - Parameter isText: Whether the last one must be text.
  static func spell(_ bytes: [UInt8], isText: Bool, _ random: inout SplitMix64) -> [UInt8] {
    var made = bytes
    var isBinary = false
    for _ in 0..<Int.random(in: 0...deepest, using: &random) where made.count < longest {
      // Escapes of other than text are none.
      let choice = isBinary ? [.base64, .base64URL, .hexadecimal] : allCases
      let spelling = choice.randomElement(using: &random) ?? .base64
      made = spelling.spelled(made, &random)
      isBinary = spelling.isBinary
    }
    guard isText, isBinary else { return made }
    let last = random.chance(50) ? HostileSpelling.base64 : .prefixedHexadecimal
    return last.spelled(made, &random)
  }

  func spelled(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    let text = String(decoding: bytes, as: UTF8.self)
    switch self {
    case .base64: return Array(Base64.text(of: bytes, .standard).utf8)
    case .base64URL: return Array(Base64.text(of: bytes, .url).utf8)
    case .hexadecimal: return Array(Hexadecimal.text(of: bytes).utf8)
    case .prefixedHexadecimal:
      return Array("0x\(Hexadecimal.text(of: bytes).uppercased())".utf8)
    case .percent: return bytes.flatMap { Self.percent($0) }
    case .percentOfSome:
      return bytes.flatMap { byte in
        let isPlain = HostileReader.isPlain(byte) && random.chance(60)
        return isPlain ? [byte] : Self.percent(byte)
      }
    case .escapes:
      return text.utf16.flatMap { unit in
        "\\u\(Hexadecimal.text(of: [UInt8(unit >> 8), UInt8(unit & 0xFF)]))".utf8
      }
    case .octal:
      return bytes.flatMap { byte in
        let digits = String(byte, radix: 8)
        return Array("\\\(String(repeating: "0", count: 3 - digits.count))\(digits)".utf8)
      }
    case .references: return text.unicodeScalars.flatMap { Array("&#\($0.value);".utf8) }
    case .hexadecimalReferences:
      return text.unicodeScalars.flatMap { Array("&#x\(String($0.value, radix: 16));".utf8) }
    case .object:
      let name = HostileCache.fields.randomElement(using: &random) ?? "a"
      return JSONValue.object([name: .string(text)]).encoded()
    case .claims:
      let claims = JSONValue.object(["ver": .string(text), "exp": .string(text)]).encoded()
      return [Array(#"{"typ":"JWT","alg":"none"}"#.utf8), claims, Array("a signature".utf8)]
        .map { Array(Base64.text(of: $0, .url).utf8) }.joined(separator: ".".utf8).map { $0 }
    case .utf16Little: return text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    case .utf16Big: return text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    case .propertyList:
      let name = HostileCache.fields.randomElement(using: &random) ?? "a"
      return ArchiveWriter.archive(.dictionary([(name, .string(text)), ("x", .data(bytes))]))
    case .dotNetBlob: return Self.blob([("a:::b:::c:::0", text)])
    }
  }

  /// ADAL.NET's blob of keys and values.
  static func blob(_ entries: [(String, String)]) -> [UInt8] {
    func string(_ text: String) -> [UInt8] {
      var (rest, length) = (text.utf8.count, [UInt8]())
      repeat {
        length.append(UInt8(rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
        rest >>= 7
      } while rest > 0
      return length + Array(text.utf8)
    }
    return [3, 0, 0, 0, UInt8(entries.count), 0, 0, 0]
      + entries.flatMap { string($0.0) + string($0.1) }
  }

  private static func percent(_ byte: UInt8) -> [UInt8] {
    Array("%\(Hexadecimal.text(of: [byte]))".utf8)
  }
}
