// SPDX-License-Identifier: MIT

/// Words that every cache has, by their hashes; every other word may be personal.
struct OrdinaryWords: Sendable {
  /// Eight bytes of a text, in lower case; whether all of it is of one word; and whether a word of which it has
  /// a part was marked.
  typealias Window = (bytes: UInt64, isOneWord: Bool, hasMarkedWord: Bool)

  static let width = 8
  /// So many bytes of a window must be of words that are not common.
  private static let fewestBytes = 3

  private let hashes: Set<UInt64>

  init(keeping kept: Set<String>) {
    hashes = Self.everybodys.union(kept.flatMap(Self.words).map { Self.hash(of: $0.utf8) })
  }

  /// Calls `visit` with each window of a text that has enough of words that are not common, and before with
  /// each such word's hash; what it answers is the word's mark.
  func visitWindows(
    of text: ArraySlice<UInt8>, _ mark: (UInt64) -> Bool, _ visit: (Window) -> Void
  ) {
    var window: UInt64 = 0
    // A bit for each byte of the window, and of the text before: whether it is of a word that is not common,
    // and of a marked one.
    var (uncommon, marked): (UInt64, UInt64) = (0, 0)
    var count = 0
    var rest = text
    while !rest.isEmpty {
      let word = Self.word(at: rest)
      let isUncommon = !word.isEmpty && !isCommon(word)
      let isMarked = isUncommon && mark(Self.hash(of: word))
      for (place, byte) in rest.prefix(max(word.count, 1)).enumerated() {
        if byte.endsValue { count = -1 }
        window = window &<< 8 | UInt64(byte.lower)
        uncommon = uncommon &<< 1 | (isUncommon ? 1 : 0)
        marked = marked &<< 1 | (isMarked ? 1 : 0)
        count += 1
        if count >= Self.width, (uncommon & 0xFF).nonzeroBitCount >= Self.fewestBytes {
          visit((window, place + 1 >= Self.width, marked & 0xFF != 0))
        }
      }
      rest = rest.dropFirst(max(word.count, 1))
    }
  }

  /// The letters and digits that a text begins with.
  private static func word(at text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = text
    while let first = rest.first {
      let count = first < 0x80 ? (Unicode.Scalar(first).isWord ? 1 : 0) : lengthOfScalar(at: rest)
      if count == 0 { break }
      rest = rest.dropFirst(count)
    }
    return text[..<rest.startIndex]
  }

  /// How many bytes the scalar has that a text beyond ASCII begins with; 0 where none does. Bytes that make no
  /// whole letter are of no word: references and offsets of an archive are such bytes.
  private static func lengthOfScalar(at text: ArraySlice<UInt8>) -> Int {
    guard let first = text.first, (0xC2..<0xF5).contains(first) else { return 0 }
    let count = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    let others = text.dropFirst().prefix(count - 1)
    return others.count == count - 1 && others.allSatisfy { $0 & 0xC0 == 0x80 } ? count : 0
  }

  /// The hash of a word, in whatever case (FNV-1a).
  static func hash(of word: some Sequence<UInt8>) -> UInt64 {
    word.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1.lower)) &* 0x100_0000_01B3 }
  }

  // Words that all caches share

  private func isCommon(_ word: ArraySlice<UInt8>) -> Bool {
    if word.count <= 2 { return true }
    if word.count > Self.longest { return false }
    return Self.isNumber(word) || hashes.contains(Self.hash(of: word))
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

  private static let mostDigits = 5
  /// No common word is longer.
  private static let longest = 64

  private static let everybodys: Set<UInt64> = {
    let lists: [Set<String>] = [
      Vocabulary.words, Vocabulary.phrases, Vocabulary.topLevel, Vocabulary.identifiers,
      Vocabulary.fieldNames, Vocabulary.archiveWords, Datum.kinds, DumpLine.attributes,
      DumpLine.types, CacheScrub.markup, files,
    ]
    return Set(lists.joined().flatMap(words).map { hash(of: $0.utf8) })
  }()

  /// What files have that say of themselves what they are.
  private static let files: Set<String> = [
    "tombstone", "keychain", "attributes", "date", "utf", "yes", "c000",
  ]

  private static func words(of text: String) -> [String] {
    text.unicodeScalars.split { !$0.isWord }.map { String($0) }
  }
}

extension UInt8 {
  var isDigit: Bool { (0x30...0x39).contains(self) }
  var lower: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

  /// Whether it ends a value: names and tokens have no such byte.
  fileprivate var endsValue: Bool { self < 0x20 || self == 0x22 || self == 0x7B || self == 0x7D }
}
