// SPDX-License-Identifier: MIT
import ADALCache
import CacheJSON
import KeychainItems

// Anonymizes a text. Every scalar becomes one with as many bytes, so lengths stored elsewhere and places in base64
// texts stay correct.
extension CacheScrub {
  /// The anonymized text, by its kind: a token, JSON, base64 of JSON, or words.
  mutating func text(_ text: [Unicode.Scalar], _ role: FieldRole) -> [Unicode.Scalar] {
    if text.isEmpty { return text }
    if role == .datum, text.count <= Datum.longest, Datum.isOne(String(text)) { return text }
    if let other = structured(text) { return other }
    if let other = preferences(text) { return other }
    switch role {
    case .secret: return TokenSecret(String(text)) == .tombstone ? text : names.secret(text)
    case .name: return words(text, sparing: false)
    default: return words(text, sparing: true)
    }
  }

  mutating func text(_ text: String, _ role: FieldRole = .text) -> String {
    String(self.text(text.scalars, role))
  }

  // Texts in texts

  private mutating func structured(_ text: [Unicode.Scalar]) -> [Unicode.Scalar]? {
    guard text.count >= 2, nesting < Self.deepest else { return nil }
    nesting += 1
    defer { nesting -= 1 }
    if text.first == "{" || text.first == "[" {
      let bytes = Array(String(text).utf8)
      return json(bytes).map { String(decoding: $0, as: UTF8.self).scalars }
    }
    // `eyJ` is `{"` in base64.
    guard text.starts(with: "eyJ".unicodeScalars) || text.starts(with: "ewo".unicodeScalars) else {
      return nil
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard let first = parts.first, let head = base64(Array(first)) else { return nil }
    var result = head
    for (index, part) in parts.enumerated().dropFirst() {
      let part = Array(part)
      // The signed part has content. The signature and encrypted parts have none.
      let made = index == 1 && parts.count == 3 ? base64(part) : nil
      result += ["."] + (made ?? opaque(part))
    }
    return result
  }

  /// Replaces a part of a token that no reader uses. Readers on Apple's systems refuse a token with a part that is text
  /// but not JSON. So a text stays text, and other bytes stay other bytes.
  private mutating func opaque(_ part: [Unicode.Scalar]) -> [Unicode.Scalar] {
    func text(_ part: [Unicode.Scalar]) -> String? {
      Base64.text(decoding: String(part)[...], .lenientURL).flatMap { $0.isEmpty ? nil : $0 }
    }
    if let old = text(part) {
      // A letter of a damaged token can stand for a control character, and with one the search for leftovers would
      // take the whole part for letters. A line break is no more JSON there.
      let made = String(names.secret(old.scalars).map { Self.isControl($0) ? "\n" : $0 })
      return Self.base64(Array(made.utf8), like: String(part)) ?? names.secret(part)
    }
    let made = names.secret(part)
    // A byte that no text has.
    return text(made) == nil ? made : ["_", "_"] + made.dropFirst(2)
  }

  /// The anonymized base64 of JSON; nil for another text.
  private mutating func base64(_ text: [Unicode.Scalar]) -> [Unicode.Scalar]? {
    let spelling = String(text)
    guard let bytes = Base64.bytes(of: spelling, .lenientURL), let made = json(bytes) else {
      return nil
    }
    return Self.base64(made, like: spelling)
  }

  /// Bytes in base64, with the alphabet and the padding of another text for as many; nil when it has
  /// something that no encoder writes.
  static func base64(_ bytes: [UInt8], like text: String) -> [Unicode.Scalar]? {
    let isStandard = text.utf8.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
    let letters = Base64.text(of: bytes, isStandard ? .standard : .url).utf8
    let padding = text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }
    let made = letters.prefix { $0 != UInt8(ascii: "=") } + padding
    // Only a text for as many bytes has as many characters.
    return made.count == text.utf8.count ? made.map { Unicode.Scalar($0) } : nil
  }

  // Words

  /// The replacement of words.
  ///
  /// - Parameter isSparing: Whether words that all caches share stay.
  private mutating func words(_ text: [Unicode.Scalar], sparing isSparing: Bool)
    -> [Unicode.Scalar]
  {
    var result: [Unicode.Scalar] = []
    result.reserveCapacity(text.count)
    var locals = (isSparing ? Self.localParts(of: text) : [])[...]
    var numbers = 0..<0
    var isPersonal = false
    var rejected = 0
    var place = 0
    // Up to where escapes were looked for, and where one ends that stays.
    var (looked, escapeEnd) = (0, 0)
    // Puts as many scalars in the place of the next ones.
    func put(_ scalars: some Collection<Unicode.Scalar>) {
      result += scalars
      place += scalars.count
    }
    while place < text.count {
      if place >= looked, Self.isOfRun(text[place]) {
        let run = text[place...].prefix(while: Self.isOfRun)
        looked = run.endIndex
        if Self.hidesWord(run) {
          put(names.secret(Array(run)))
          continue
        }
      }
      if text[place] == "%", place + 2 < looked, text[place + 1].isHexadecimal,
        text[place + 2].isHexadecimal
      {
        put(text[place..<(place + 3)])
        escapeEnd = place
        continue
      }
      let isStart = place == 0 || place == escapeEnd || !text[place - 1].isWord
      guard text[place].isWord else {
        put(text[place...place])
        continue
      }
      if isStart,
        let other = identifier(in: text, at: place)
          ?? wrappedBlob(in: text, at: place, &rejected)
      {
        put(other)
        continue
      }
      while let local = locals.first, local.upperBound <= place { locals.removeFirst() }
      let isSpared = isSparing && !(locals.first?.contains(place) ?? false)
      if isStart, isSpared, let count = Self.phrase(in: text, at: place) {
        put(text[place..<(place + count)])
        continue
      }
      let end = text[place...].firstIndex { !$0.isWord } ?? text.count
      let word = text[place..<end]
      if isSpared, word.allSatisfy(\.isDigit), numbers.upperBound <= place {
        numbers = Self.numbers(in: text, at: place)
        let date = Datum.dateLength(numbers.map { UInt8(truncatingIfNeeded: text[$0].value) }[...])
        if date == numbers.count {
          put(text[numbers])
          continue
        }
        isPersonal = text[numbers].count(where: \.isDigit) > Self.mostDigits
      }
      let isNumber = isPersonal && numbers.contains(place)
      let stays = isSpared && !isNumber && Self.stays(word, in: text)
      put(stays ? word : names.word(word)[...])
    }
    return result
  }

  /// Whether a scalar can be part of a word with escapes.
  private static func isOfRun(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "%", "&", "#", ";", "\\": true
    default: scalar.isWord || isControl(scalar)
    }
  }

  /// Whether a scalar is between the letters of a text in UTF-16, or of something that is no text.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 && scalar != "\t" && scalar != "\n" && scalar != "\r"
  }

  /// Whether letters or digits are spelled by escapes, also by such as are spelled by others.
  private static func hidesWord(_ run: ArraySlice<Unicode.Scalar>) -> Bool {
    guard run.contains(where: { !$0.isWord }) else { return false }
    if run.contains(where: isControl) { return true }
    var bytes = Array(String(Array(run)).utf8)
    for _ in 0..<deepest {
      guard let plain = bytes.withoutEscapes() else { return false }
      if plain.hideWord { return true }
      bytes = plain.bytes
    }
    return true
  }

  /// The numbers that stand at a place one after the other, such as a date, a version, the address of a
  /// machine or a telephone's number.
  private static func numbers(in text: [Unicode.Scalar], at start: Int) -> Range<Int> {
    let between: Set<Unicode.Scalar> = [" ", ".", "-", "/", ":", "(", ")", "+", "T", "Z"]
    let end = text[start...].firstIndex { !$0.isDigit && !between.contains($0) } ?? text.count
    let last = text[start..<end].lastIndex { $0.isDigit || $0 == "Z" } ?? start
    return start..<(last + 1)
  }

  /// A version has no more digits, and a port or a year neither.
  private static let mostDigits = 4

  /// The parts before the `@` of addresses: a name, whatever its words. A guest's contains another address, and
  /// markers.
  private static func localParts(of text: [Unicode.Scalar]) -> [Range<Int>] {
    guard text.contains("@") else { return [] }
    let breaks: Set<Unicode.Scalar> = [" ", "/", ":", "|", "\"", "<", "(", ",", ";", "@"]
    return text.indices.filter { text[$0] == "@" }.compactMap { at in
      let start = text[..<at].lastIndex { breaks.contains($0) }.map { $0 + 1 } ?? 0
      let local = String(Array(text[start..<at])).lowercased()
      guard local.contains("#") || local.hasSuffix("_ext_") else { return start..<at }
      // `ann_contoso.com#EXT#`, `live.com#ann`: the name is on one side.
      guard let sign = text[start..<at].firstIndex(of: "#") else { return nil }
      if local.contains("#ext#") {
        return text[start..<sign].lastIndex(of: "_").map { start..<$0 }
      }
      return (sign + 1)..<at
    }
  }

  /// The length of the phrase that begins at a place and ends with a word.
  private static func phrase(in text: [Unicode.Scalar], at start: Int) -> Int? {
    let first = text[start...].prefix(while: \.isWord)
    guard first.count <= Vocabulary.longestPhrase,
      Vocabulary.phraseStarts.contains(String(first.map(\.lower)))
    else { return nil }
    let spelling = text[start...].prefix(Vocabulary.longestPhrase).prefix(while: \.isASCII)
      .map { UInt8(truncatingIfNeeded: $0.lower.value) }
    return spelling.indices.reversed().lazy.map { $0 + 1 }.first { count in
      let end = start + count
      let isWhole = end == text.count || !text[end].isWord
      return isWhole
        && Vocabulary.phrases.contains(String(decoding: spelling[..<count], as: UTF8.self))
    }
  }

  /// Whether a word stays: one of the vocabulary that is no label of a host, the end of a host, or too
  /// short to say anything.
  private static func stays(_ word: ArraySlice<Unicode.Scalar>, in text: [Unicode.Scalar]) -> Bool {
    let spelling = String(word.map(\.lower))
    let isAfterDot = word.startIndex > 0 && text[word.startIndex - 1] == "."
    let isBeforeDot =
      word.endIndex + 1 < text.count && text[word.endIndex] == "." && text[word.endIndex + 1].isWord
    if word.allSatisfy(\.isDigit) { return word.count <= 2 }
    if word.count == 1 { return true }
    if isBeforeDot { return false }
    if isAfterDot {
      let isFirst = word.startIndex == 1 || !text[word.startIndex - 2].isWord
      if isFirst { return Vocabulary.words.contains(spelling) }
      return spelling.utf8.count == 2 || Vocabulary.topLevel.contains(spelling)
    }
    return Vocabulary.words.contains(spelling)
  }

  /// The replacement of an identifier at a place: 8-4-4-4-12 digits, or 32.
  private mutating func identifier(in text: [Unicode.Scalar], at start: Int) -> [Unicode.Scalar]? {
    guard start + 32 <= text.count, text[start].isHexadecimal, text[start + 7].isHexadecimal
    else { return nil }
    let shape = text[start + 8] == "-" ? [8, 4, 4, 4, 12] : [32]
    let end = start + shape.reduce(shape.count - 1, +)
    guard end <= text.count, end == text.count || !text[end].isWord else { return nil }
    let groups = text[start..<end].split(separator: "-", omittingEmptySubsequences: false)
    guard groups.map(\.count) == shape, groups.allSatisfy({ $0.allSatisfy(\.isHexadecimal) }) else {
      return nil
    }
    return identifier(Array(text[start..<end]))
  }

  private mutating func identifier(_ spelled: [Unicode.Scalar]) -> [Unicode.Scalar] {
    let lower = String(spelled.map(\.lower))
    if Vocabulary.isPublic(lower) || kept.contains(lower) { return spelled }
    let isUpper =
      spelled.contains(where: \.isUpper) && !spelled.contains { $0.lower == $0 && $0.isASCIILetter }
    var digits = names.identifier(Array(lower.utf8.filter { $0 != UInt8(ascii: "-") }))[...]
    return spelled.map { scalar in
      guard scalar != "-", let digit = digits.popFirst() else { return scalar }
      let other = Unicode.Scalar(digit)
      return isUpper ? other.upper : other
    }
  }
}
