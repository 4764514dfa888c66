// SPDX-License-Identifier: MIT
import CacheJSON

// What becomes of a blob of ADAL.NET's in something else: in base64 or hexadecimal digits, which may be broken
// into lines, and in a file of Android's preferences.
extension CacheScrub {
  /// What a blob becomes that begins at a place of a text, with what it is broken by.
  ///
  /// - Parameter rejected: Up to where letters were found to be no blob, so that each is read once.
  mutating func wrappedBlob(
    in text: [Unicode.Scalar], at start: Int, _ rejected: inout Int
  ) -> [Unicode.Scalar]? {
    guard start >= rejected, text[start] == "A" || text[start] == "0" else { return nil }
    guard let isBase64 = Self.isBlobInBase64(Array(text[start...].prefix(10))) else { return nil }
    let places = Self.letters(of: text[start...]) { $0 }
    guard let end = places.last else { return nil }
    rejected = end + 1
    // A schema, and a count.
    guard places.count >= 12 else { return nil }
    let spelled = String(Array(places.map { text[$0] }))
    let made = isBase64 ? blob(inBase64: spelled) : blob(inHexadecimal: spelled)
    guard let made, made.count == places.count else { return nil }
    var result = Array(text[start...end])
    for (place, scalar) in zip(places, made) { result[place - start] = scalar }
    return result
  }

  // The schemas 1 to 3, of 32 bits.
  private static let base64Starts = ["AQAAA", "AgAAA", "AwAAA"]
  private static let hexadecimalStarts = ["01000000", "02000000", "03000000"].flatMap {
    [$0, "0x\($0)"]
  }

  /// Whether letters begin like a blob in base64, or like one in hexadecimal digits; nil when like neither.
  static func isBlobInBase64(_ letters: [Unicode.Scalar]) -> Bool? {
    let beginning = String(letters)
    if base64Starts.contains(where: beginning.hasPrefix) { return true }
    return hexadecimalStarts.contains(where: beginning.lowercased().hasPrefix) ? false : nil
  }

  /// Where the letters are that follow one another from the start of a text, but for white space and
  /// references such as `&#10;`; up to the next `0x`.
  static func letters<Unit>(
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

  private mutating func blob(inBase64 spelled: String) -> [Unicode.Scalar]? {
    guard let bytes = Base64.bytes(of: spelled, .url), let other = blob(bytes)
    else { return nil }
    return Self.base64(other, like: spelled)
  }

  private mutating func blob(inHexadecimal spelled: String) -> [Unicode.Scalar]? {
    let digits = spelled.lowercased().hasPrefix("0x") ? spelled.dropFirst(2) : spelled[...]
    guard let bytes = Hexadecimal.bytes(Array(digits.utf8)[...]), let other = blob(bytes)
    else { return nil }
    let made = Hexadecimal.text(of: other)
    let isUpper = digits.contains { ("A"..."F").contains($0) }
    return Array(
      (spelled.prefix(spelled.utf8.count - digits.utf8.count)
        + (isUpper ? made.uppercased() : made)).unicodeScalars)
  }

  // Android's preferences

  /// The words of the file itself.
  private static let markup: Set<String> = [
    "xml", "version", "encoding", "standalone", "map", "string", "name", "value", "int", "long",
    "float", "boolean", "set", "null",
  ]

  /// What a file of Android's preferences becomes; nil when the text is none. Everything between tags is
  /// replaced, and every name but that of ADAL.NET's cache.
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
    var result: [Unicode.Scalar] = []
    for (index, part) in piece.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
    {
      if index > 0 { result.append("\"") }
      let spelling = String(Array(part))
      if index % 2 == 1 {
        result += spelling == "cache" ? Array(part) : self.text(Array(part), .text)
      } else {
        let words = spelling.split { !$0.isLetter && !$0.isNumber }
        let isMarkup = words.allSatisfy { Self.markup.contains($0.lowercased()) }
        result += isMarkup ? Array(part) : self.text(Array(part), .text)
      }
    }
    return result
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
