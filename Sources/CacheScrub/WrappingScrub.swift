// SPDX-License-Identifier: MIT
import CacheJSON

/// A blob of ADAL.NET's in base64 or hexadecimal digits, which may be broken into lines.
struct WrappedBlob {
  /// Where its letters are in the text.
  let places: [Int]
  /// Its letters, without line breaks.
  let spelled: String
  let isBase64: Bool
  let bytes: [UInt8]

  // The schemas 1 to 3, of 32 bits.
  private static let base64Starts = ["AQAAA", "AgAAA", "AwAAA"]
  private static let hexadecimalStarts = ["01000000", "02000000", "03000000"].flatMap {
    [$0, "0x\($0)"]
  }

  /// The blob that a text begins with; nil when it begins with none.
  ///
  /// - Parameter rejected: Up to where letters were found to be no blob, so that each is read once.
  init?<Unit>(
    in text: ArraySlice<Unit>, _ rejected: inout Int, _ scalar: (Unit) -> Unicode.Scalar
  ) {
    guard text.startIndex >= rejected, let first = text.first.map(scalar),
      first == "A" || first == "0"
    else { return nil }
    let beginning = String(text.prefix(10).map(scalar))
    isBase64 = Self.base64Starts.contains(where: beginning.hasPrefix)
    guard isBase64 || Self.hexadecimalStarts.contains(where: beginning.lowercased().hasPrefix)
    else { return nil }
    places = Self.letters(of: text, scalar)
    guard let end = places.last else { return nil }
    rejected = end + 1
    spelled = String(places.map { scalar(text[$0]) })
    let bytes =
      isBase64
      ? Base64.bytes(of: spelled, .url)
      : Hexadecimal.bytes(Array(spelled.utf8)[Self.lengthOfPrefix(spelled)...])
    guard let bytes, CacheScrub.isBlob(bytes) else { return nil }
    self.bytes = bytes
  }

  /// Other bytes, as many, in the same letters; nil when these have something that no encoder writes.
  func spelling(of other: [UInt8]) -> [Unicode.Scalar]? {
    if isBase64 { return CacheScrub.base64(other, like: spelled) }
    let length = Self.lengthOfPrefix(spelled)
    let digits = Hexadecimal.text(of: other)
    let isUpper = spelled.dropFirst(length).contains { ("A"..."F").contains($0) }
    return Array((spelled.prefix(length) + (isUpper ? digits.uppercased() : digits)).unicodeScalars)
  }

  private static func lengthOfPrefix(_ spelled: String) -> Int {
    spelled.lowercased().hasPrefix("0x") ? 2 : 0
  }

  /// Where the letters are that follow one another from the start of a text, but for white space and
  /// references such as `&#10;`; up to the next `0x`.
  private static func letters<Unit>(
    of text: ArraySlice<Unit>, _ scalar: (Unit) -> Unicode.Scalar
  ) -> [Int] {
    var places: [Int] = []
    var place = text.startIndex
    while place < text.endIndex {
      let letter = scalar(text[place])
      if letter.isASCIILetter || letter.isDigit || ["+", "/", "=", "-", "_"].contains(letter) {
        let isNext = place > text.startIndex && letter == "0" && !scalar(text[place - 1]).isWord
        if isNext, place + 1 < text.endIndex, scalar(text[place + 1]).lower == "x" { break }
        places.append(place)
      } else if letter == "&" {
        guard let end = text[place...].prefix(8).firstIndex(where: { scalar($0) == ";" }) else {
          break
        }
        place = end
      } else if ![" ", "\n", "\r", "\t"].contains(letter) {
        break
      }
      place += 1
    }
    return places
  }
}

// Anonymizes ADAL.NET's blob inside other formats: in letters, and in a file of Android's preferences.
extension CacheScrub {
  /// The replacement of a blob at a place of a text, with its line breaks.
  mutating func wrappedBlob(
    in text: [Unicode.Scalar], at start: Int, _ rejected: inout Int
  ) -> [Unicode.Scalar]? {
    // A schema, and a count.
    guard let wrapped = WrappedBlob(in: text[start...], &rejected, { $0 }),
      let end = wrapped.places.last, wrapped.places.count >= 12, let other = blob(wrapped.bytes),
      let made = wrapped.spelling(of: other), made.count == wrapped.places.count
    else { return nil }
    var result = Array(text[start...end])
    for (place, scalar) in zip(wrapped.places, made) { result[place - start] = scalar }
    return result
  }

  // Android's preferences

  /// The words of the file itself.
  static let markup: Set<String> = [
    "xml", "version", "encoding", "standalone", "map", "string", "name", "value", "int", "long",
    "float", "boolean", "set", "null",
  ]

  /// The anonymized file of Android's preferences; nil for another text. It replaces all text between tags, and every
  /// name except that of ADAL.NET's cache.
  mutating func preferences(_ text: [Unicode.Scalar]) -> [Unicode.Scalar]? {
    let start = String(Array(text.prefix(Self.longestDeclaration)))
    guard start.hasPrefix("<map") || start.hasPrefix("<?xml") && start.contains("<map"),
      nesting < Self.deepest
    else { return nil }
    nesting += 1
    defer { nesting -= 1 }
    var result: [Unicode.Scalar] = []
    var place = 0
    while place < text.count {
      let isTag = text[place] == "<"
      let rest = text[place...]
      let end =
        isTag
        ? rest.firstIndex(of: ">").map { $0 + 1 } ?? text.count
        : rest.firstIndex(of: "<") ?? text.count
      let piece = Array(text[place..<end])
      result += isTag ? tag(piece) : self.text(piece, .text)
      place = end
    }
    return result
  }

  private static let longestDeclaration = 4096

  private mutating func tag(_ piece: [Unicode.Scalar]) -> [Unicode.Scalar] {
    if Self.isDeclaration(piece) { return piece }
    if piece.starts(with: Self.declaration) {
      return Self.declaration + text(Array(piece.dropFirst(Self.declaration.count)), .text)
    }
    let parts = piece.split(separator: "\"", omittingEmptySubsequences: false)
    return Array(
      parts.enumerated().map { index, part -> [Unicode.Scalar] in
        let spelling = String(Array(part))
        let words = spelling.split { !$0.isLetter && !$0.isNumber }
        let isKept =
          index % 2 == 1
          ? spelling == "cache" : words.allSatisfy { Self.markup.contains($0.lowercased()) }
        return isKept ? Array(part) : self.text(Array(part), .text)
      }.joined(separator: ["\""]))
  }

  /// Whether a tag is a declaration that serializers write, in any quotation marks and with any spaces.
  private static func isDeclaration(_ piece: [Unicode.Scalar]) -> Bool {
    guard piece.count <= longestTag else { return false }
    let spelling = String(piece.filter { $0 != " " && $0 != "'" && $0 != "\"" }).lowercased()
    return declarations.contains(spelling)
  }

  private static let declaration = Array("<?xml ".unicodeScalars)
  private static let longestTag = 80
  private static let declarations: Set<String> = Set(
    ["", "encoding=utf-8"].flatMap { encoding in
      ["", "standalone=yes", "standalone=no"].map { "<?xmlversion=1.0\(encoding)\($0)?>" }
    })
}
