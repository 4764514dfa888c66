// SPDX-License-Identifier: MIT
import ADALCache
import CacheJSON
import KeyedArchive

/// Every text in some bytes, out of whatever it is wrapped in: property lists, ADAL.NET's blob, base64,
/// hexadecimal digits, UTF-16, and escapes of JSON, XML and `security`, one in another.
///
/// It ignores fields, so it finds texts that a reader of fields overlooks. Each step reduces the bytes, and the number
/// of steps is limited, so the work grows only with the size.
enum Readings {
  /// Deeper texts are visited as they are spelled. Scrubbing replaces texts that are deeper than 8 by noise; each
  /// of them may be in escapes, which count here.
  private static let deepest = 24

  /// Calls `visit` with each text in `bytes`, piece by piece.
  static func read(_ bytes: [UInt8], depth: Int = 0, _ visit: (ArraySlice<UInt8>) -> Void) {
    guard depth < deepest else { return visit(bytes[...]) }
    if bytes.starts(with: magic) {
      if archive(bytes, depth: depth, visit) { return }
      return read(Array(bytes.dropFirst(magic.count)), depth: depth + 1, visit)
    }
    if depth == 0, DumpLine.beginsDump(bytes) { return dump(bytes, visit) }
    if CacheScrub.isBlob(bytes) { return blob(bytes, depth: depth, visit) }
    if bytes.contains(0) { return read(bytes.filter { $0 != 0 }, depth: depth + 1, visit) }
    if let plain = bytes.withoutEscapes() {
      return read(plain.bytes, depth: depth + 1, visit)
    }
    text(bytes, depth: depth, visit)
  }

  private static let magic = Array("bplist00".utf8)

  // Binary

  /// The texts and data of a property list, and the gaps between its objects; false if it is not one.
  private static func archive(
    _ bytes: [UInt8], depth: Int, _ visit: (ArraySlice<UInt8>) -> Void
  ) -> Bool {
    guard let list = try? BinaryPropertyList(bytes), list.isTableWhole else { return false }
    var covered: [Range<Int>] = []
    let objects = list.objects
    for case let object? in objects {
      covered.append(object.range)
      switch object.kind {
      case .ascii, .data: read(Array(bytes[object.contentRange]), depth: depth + 1, visit)
      case .utf16:
        let text = String(decoding: bytes[object.contentRange].utf16, as: UTF16.self)
        read(Array(text.utf8), depth: depth + 1, visit)
      default: break
      }
    }
    for range in list.strayEntries(objects) { read(Array(bytes[range]), depth: depth + 1, visit) }
    for range in list.gaps(between: covered) { read(Array(bytes[range]), depth: depth + 1, visit) }
    return true
  }

  private static func blob(_ bytes: [UInt8], depth: Int, _ visit: (ArraySlice<UInt8>) -> Void) {
    var place = 8
    var cursor = BlobCursor(bytes, at: place)
    while let range = try? cursor.string() {
      read(Array(bytes[range]), depth: depth + 1, visit)
      place = range.upperBound
    }
    read(Array(bytes[place...]), depth: depth + 1, visit)
  }

  /// The values of a dump. The tool prints bytes twice, in digits and with octal escapes; a line that has
  /// anything else is read as it is.
  private static func dump(_ bytes: [UInt8], _ visit: (ArraySlice<UInt8>) -> Void) {
    var isData = false
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      let line = DumpLine(line, isData: isData)
      isData = line.announcesData
      if let value = line.value, line.bytes == line.start + DumpLine.printed(value) {
        read(line.start, depth: 1, visit)
        read(value, depth: 1, visit)
      } else {
        read(line.bytes, depth: 1, visit)
      }
    }
  }

  // Digits and letters that stand for bytes

  /// A text in which some words may stand for other bytes.
  private static func text(_ bytes: [UInt8], depth: Int, _ visit: (ArraySlice<UInt8>) -> Void) {
    var start = 0
    var place = 0
    var rejected = 0
    while place < bytes.count {
      guard isLetter[Int(bytes[place])] else {
        place += 1
        continue
      }
      var end = place
      while end < bytes.count, isLetter[Int(bytes[end])] { end += 1 }
      while end < bytes.count, bytes[end] == UInt8(ascii: "=") { end += 1 }
      if let wrapped = WrappedBlob(in: bytes[place...], &rejected, { Unicode.Scalar($0) }) {
        visit(bytes[start..<place])
        read(wrapped.bytes, depth: depth + 1, visit)
        end = rejected
        start = end
      } else if let inner = decoded(bytes[place..<end]) {
        visit(bytes[start..<place])
        read(inner, depth: depth + 1, visit)
        start = end
      } else if let dash = bytes[place..<end].prefix(longestVersion).firstIndex(of: 0x2D),
        let inner = decoded(bytes[(dash + 1)..<end])
      {
        // `MSOpenTech.ADAL.1-` and an app's identifier.
        visit(bytes[start...dash])
        read(inner, depth: depth + 1, visit)
        start = end
      } else if let (letters, inner) = damaged(bytes[place..<end]) {
        visit(bytes[start..<letters.startIndex])
        read(inner, depth: depth + 1, visit)
        start = letters.endIndex
      }
      place = end
    }
    visit(bytes[start...])
  }

  private static let isLetter: [Bool] = (0...255).map { byte in
    let scalar = Unicode.Scalar(UInt8(byte))
    return scalar.isASCIILetter || scalar.isDigit || ["+", "/", "-", "_"].contains(scalar)
  }

  /// The bytes that a word stands for, in base64 or hexadecimal digits, when they are a text or a property list.
  private static func decoded(_ word: ArraySlice<UInt8>) -> [UInt8]? {
    let isNumber = word.allSatisfy(\.isDigit)
    guard word.count >= shortest, !isNumber || !Datum.isInstant(word) else { return nil }
    let digits = word.starts(with: "0x".utf8) ? word.dropFirst(2) : word
    if let bytes = Hexadecimal.bytes(digits), says(bytes, inNumber: isNumber) { return bytes }
    let bytes = word.withUnsafeBufferPointer { Base64.bytes(of: $0, .lenientURL) }
    return bytes.flatMap { says($0) ? $0 : nil }
  }

  /// The letters of a long word with the bytes that they encode in base64, if these bytes are mostly text or a property
  /// list. A byte of them may be damaged, or a letter lost or belong to the text before. Read as plain letters, two
  /// caches would share common text, such as `windows.net`.
  private static func damaged(
    _ word: ArraySlice<UInt8>
  ) -> (letters: ArraySlice<UInt8>, bytes: [UInt8])? {
    guard word.count >= shortestDamaged else { return nil }
    for skipped in 0..<4 {
      let letters = word.dropFirst(skipped).prefix((word.count - skipped) / 4 * 4)
      let bytes = letters.withUnsafeBufferPointer { Base64.bytes(of: $0, .lenientURL) }
      if let bytes, isTextMostly(bytes) { return (letters, bytes) }
    }
    return nil
  }

  /// Whether a third of the bytes are letters in a row. In a token it is one in a hundred.
  private static func isTextMostly(_ bytes: [UInt8]) -> Bool {
    var (count, run) = (0, 0)
    for byte in bytes {
      run = (0x20...0x7E).contains(byte) ? run + 1 : 0
      // With the byte that makes a run long enough, those before it count.
      if run == shortestRun { count += run } else if run > shortestRun { count += 1 }
    }
    return count * 3 >= bytes.count
  }

  /// So many letters of base64 are 48 bytes: fewer may look like text by chance.
  private static let shortestDamaged = 64
  private static let shortestRun = 6
  /// With the hyphen behind it, the version that a library's name ends with.
  private static let longestVersion = 4
  /// So many letters of base64 are six bytes: `foci-1` is a client id that every family has.
  private static let shortest = 8
  private static let shortestText = 6

  /// Whether bytes are a property list, a blob, or text in UTF-8 or UTF-16.
  private static func says(_ bytes: [UInt8], inNumber: Bool = false) -> Bool {
    if bytes.starts(with: magic) || CacheScrub.isBlob(bytes) { return true }
    // An item of another app may be no more than `null`, which is `bnVsbA==` or `6e756c6c`.
    if bytes.count < shortestText { return OrdinaryWords.areCommon(bytes, inNumber: inNumber) }
    if bytes[1] == 0 || bytes[0] == 0 {
      let odd = bytes[1] == 0 ? 1 : 0
      return stride(from: odd, to: bytes.count, by: 2).allSatisfy { bytes[$0] == 0 }
    }
    // A character may be cut off at the end.
    let isPlain = bytes.allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    guard isPlain else { return false }
    if bytes.allSatisfy({ $0 < 0x80 }) { return true }
    let text = String(decoding: bytes, as: UTF8.self)
    return !text.unicodeScalars.dropLast().contains("\u{FFFD}")
  }
}
