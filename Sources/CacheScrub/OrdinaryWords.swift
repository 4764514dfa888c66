// SPDX-License-Identifier: MIT

/// Words that every cache has, by their hashes; every other word may be personal.
struct OrdinaryWords: Sendable {
  /// Eight bytes of a text, in lower case, with two facts: whether they are all of one word, and whether they contain a
  /// part of a marked word.
  typealias Window = (bytes: UInt64, isOneWord: Bool, hasMarkedWord: Bool)

  static let width = 8
  /// The number of bytes of a window that must be of uncommon words.
  private static let fewestBytes = 3

  private let hashes: Set<UInt64>

  init(keeping kept: Set<String>) {
    hashes = Self.commonHashes.union(kept.flatMap(Self.words).map { Self.hash(of: $0.utf8) })
  }

  /// Calls `visit` with each window of a text that has enough uncommon words. Before that, it passes the hash of each
  /// uncommon word to a closure, which returns whether the word is marked.
  func visitWindows(
    of text: ArraySlice<UInt8>, _ mark: (UInt64) -> Bool, _ visit: (Window) -> Void
  ) {
    let text = Array(text)
    var window: UInt64 = 0
    // A bit for each byte of the window, and of the text before: whether it is of a word that is not common,
    // and of a marked one.
    var (uncommon, marked): (UInt64, UInt64) = (0, 0)
    var count = 0
    // The number of bytes that count up, as references of an archive do if it is read as a text.
    var (ascent, last): (Int, UInt8) = (0, 0)
    var start = 0
    while start < text.count {
      let wordEnd = Self.endOfWord(in: text, from: start)
      let word = text[start..<wordEnd]
      let isUncommon = !word.isEmpty && !isCommon(word) && !Self.isFraction(word, of: text)
      let isMarked = isUncommon && mark(Self.hash(of: word))
      let end = max(wordEnd, start + 1)
      for place in start..<end {
        let byte = text[place]
        if byte.endsValue { count = -1 }
        ascent = byte == last &+ 1 ? ascent + 1 : 1
        last = byte
        window = window &<< 8 | UInt64(byte.lower)
        uncommon = uncommon &<< 1 | (isUncommon ? 1 : 0)
        marked = marked &<< 1 | (isMarked ? 1 : 0)
        count += 1
        if count >= Self.width, ascent < Self.width,
          (uncommon & 0xFF).nonzeroBitCount >= Self.fewestBytes
        {
          visit((window, place - start + 1 >= Self.width, marked & 0xFF != 0))
        }
      }
      start = end
    }
  }

  /// The end of the letters and digits at a place.
  private static func endOfWord(in text: [UInt8], from start: Int) -> Int {
    var end = start
    while end < text.count {
      let count = text[end] < 0x80 ? (text[end].isWord ? 1 : 0) : lengthOfScalar(in: text, at: end)
      if count == 0 { break }
      end += count
    }
    return end
  }

  /// The number of bytes of the non-ASCII scalar at a place; 0 if there is none. Bytes that do not make a whole letter
  /// belong to no word. References and offsets of an archive are such bytes.
  private static func lengthOfScalar(in text: [UInt8], at place: Int) -> Int {
    let first = text[place]
    guard (0xC2..<0xF5).contains(first) else { return 0 }
    let count = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    let others = text[place...].dropFirst().prefix(count - 1)
    return others.count == count - 1 && others.allSatisfy { $0 & 0xC0 == 0x80 } ? count : 0
  }

  /// The hash of a word, in whatever case (FNV-1a).
  static func hash(of word: some Sequence<UInt8>) -> UInt64 {
    word.reduce(0xCBF2_9CE4_8422_2325) { hash($0, $1) }
  }

  private static func hash(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
    (hash ^ UInt64(byte.lower)) &* 0x100_0000_01B3
  }

  // Words that all caches share

  private func isCommon(_ word: ArraySlice<UInt8>) -> Bool {
    if Self.isShort(word) { return true }
    if word.count > Self.longest { return false }
    return Self.isNumber(word) || isKnown(word)
  }

  /// Whether a text has only words that stay.
  ///
  /// - Parameter isOfNumber: whether the digits that stand for it are a number, which is text by chance more often.
  static func areCommon(_ text: [UInt8], inNumber isOfNumber: Bool) -> Bool {
    var start = 0
    while start < text.count {
      let end = endOfWord(in: text, from: start)
      let word = text[start..<end]
      let isOne =
        word.isEmpty
        ? (isOfNumber ? punctuation : printable).contains(text[start])
        : isShort(word) || isNumber(word) || commonHashes.contains(hash(of: word))
      guard isOne else { return false }
      start = max(end, start + 1)
    }
    return true
  }

  /// Words in versions and lists.
  private static let punctuation = Set(" .,:-_/[]{}\"\n".utf8)
  private static let printable = Set(0x20...0x7E).union("\t\n\r".utf8)

  /// Whether it is a word that all caches share, or several of them behind markers: where an archive is read as one
  /// text, its names stand as in `YallClaimsZrawIdTokenVuserId`.
  private func isKnown(_ word: ArraySlice<UInt8>) -> Bool {
    if hashes.contains(Self.hash(of: word)) { return true }
    let isMarker = { (place: Int) in Self.shortTexts.contains(word[place]) }
    // The places where a shared word may begin, each once.
    var starts = [word.startIndex]
    if isMarker(word.startIndex) { starts.append(word.startIndex + 1) }
    var next = 0
    while next < starts.count {
      let start = starts[next]
      next += 1
      if start == word.endIndex { return true }
      var hash = Self.hash(of: [])
      for place in start..<word.endIndex {
        hash = Self.hash(hash, word[place])
        let end = place + 1
        let isLast = end == word.endIndex
        guard isLast || isMarker(end), hashes.contains(hash) else { continue }
        let after = isLast ? end : end + 1
        if !starts.contains(after) { starts.append(after) }
      }
    }
    return false
  }

  /// The markers of texts that have up to ten letters: `P` to `Z`.
  private static let shortTexts: ClosedRange<UInt8> = 0x50...0x5A

  /// Whether it is two letters of ASCII, or one of any script: such words stay.
  private static func isShort(_ word: ArraySlice<UInt8>) -> Bool {
    word.count <= 2 || word.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
  }

  /// Small numbers, instants, and pieces of a date such as `14T22` and `191Z`.
  private static func isNumber(_ word: ArraySlice<UInt8>) -> Bool {
    guard word.first?.isDigit ?? false else { return false }
    let letters = word.filter { !$0.isDigit }
    guard letters.isEmpty else {
      let isPiece = letters.allSatisfy { $0 == UInt8(ascii: "T") || $0 == UInt8(ascii: "Z") }
      return isPiece && letters.count <= 2 && (word.count <= 10 || word.count == 15)
    }
    let isZero = word.dropLast().allSatisfy { $0 == UInt8(ascii: "0") }
    return word.count <= mostDigits || isZero || Datum.isInstant(word)
  }

  /// Whether a word is the digits behind the seconds of an instant, such as `1700000000.7424755`, or of a date.
  private static func isFraction(_ word: ArraySlice<UInt8>, of text: [UInt8]) -> Bool {
    guard word.count <= Datum.longestFraction, word.allSatisfy(\.isDigit) else { return false }
    let before = text[..<word.startIndex]
    guard before.last == UInt8(ascii: ".") else { return false }
    let digits = before.dropLast().suffix(longestInstant + 1).reversed().prefix(while: \.isDigit)
    let isTime = digits.count == 2 && before.dropLast(3).last == UInt8(ascii: ":")
    return isTime || Datum.isInstant(ArraySlice(digits.reversed()))
  }

  private static let mostDigits = 5
  /// Milliseconds have no more digits.
  private static let longestInstant = 13
  /// No common word is longer.
  private static let longest = 64

  private static let commonHashes: Set<UInt64> = {
    let lists: [Set<String>] = [
      Vocabulary.words, Vocabulary.phrases, Vocabulary.topLevel, Vocabulary.identifiers,
      Vocabulary.fieldNames, Vocabulary.archiveWords, Datum.kinds, DumpLine.attributes,
      DumpLine.types, CacheScrub.markup, files,
    ]
    return Set(lists.joined().flatMap(words).map { hash(of: $0.utf8) })
  }()

  /// The words by which files name their own format.
  private static let files: Set<String> = [
    "tombstone", "keychain", "attributes", "date", "utf", "yes", "c000",
  ]

  private static func words(of text: String) -> [String] {
    text.unicodeScalars.split { !$0.isWord }.map { String($0) }
  }
}

extension UInt8 {
  var isDigit: Bool { self &- 0x30 < 10 }
  var lower: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

  /// Whether it is a letter or a digit of ASCII.
  fileprivate var isWord: Bool { (self | 0x20) &- 0x61 < 26 || isDigit }

  /// Whether it ends a value: names and tokens have no such byte.
  fileprivate var endsValue: Bool { self < 0x20 || self == 0x22 || self == 0x7B || self == 0x7D }
}
