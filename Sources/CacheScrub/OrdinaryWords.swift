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
  /// Says of almost every other word at once that it is not common.
  private let filter: HashFilter

  init(keeping kept: Set<String>) {
    var hashes = Self.everybodys
    for word in kept.flatMap(Self.words) { hashes.insert(Self.hash(of: word.utf8)) }
    self.hashes = hashes
    var filter = HashFilter(capacity: 32 * hashes.count)
    for hash in hashes { filter.insert(hash) }
    self.filter = filter
  }

  /// Calls `visit` with each window of a text that has enough of words that are not common, and before with
  /// each such word's hash; what it answers is the word's mark.
  func visitWindows(
    of text: ArraySlice<UInt8>, _ mark: (UInt64) -> Bool, _ visit: (Window) -> Void
  ) {
    text.withUnsafeBufferPointer { text in
      Self.bytes.withUnsafeBufferPointer { visitWindows(of: text, $0, mark, visit) }
    }
  }

  /// How many bytes the letter or digit has that begins at a place, in UTF-8; 0 where none does. Bytes that make
  /// no whole letter are of no word: references and offsets of an archive are such bytes.
  private static func letter(
    in text: UnsafeBufferPointer<UInt8>, at place: Int, _ kinds: UnsafeBufferPointer<UInt16>
  ) -> Int {
    let first = text[place]
    guard kinds[Int(first)] & wordBit != 0 else { return 0 }
    if first < 0x80 { return 1 }
    guard (0xC2..<0xF5).contains(first) else { return 0 }
    let count = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard count <= text.count &- place else { return 0 }
    return text[place &+ 1..<place &+ count].allSatisfy { $0 & 0xC0 == 0x80 } ? count : 0
  }

  private func visitWindows(
    of text: UnsafeBufferPointer<UInt8>, _ kinds: UnsafeBufferPointer<UInt16>,
    _ mark: (UInt64) -> Bool, _ visit: (Window) -> Void
  ) {
    var window: UInt64 = 0
    // A bit for each byte of the window, and of the text before: whether it is of a word that is not common,
    // and of a marked one.
    var (uncommon, marked): (UInt64, UInt64) = (0, 0)
    var count = 0
    var place = 0
    while place < text.count {
      var end = place
      var (uncommonBit, markedBit): (UInt64, UInt64) = (0, 0)
      while end < text.count {
        let length = Self.letter(in: text, at: end, kinds)
        if length == 0 { break }
        end &+= length
      }
      if end == place {
        end &+= 1
      } else {
        let word = UnsafeBufferPointer(rebasing: text[place..<end])
        if !isCommon(word, kinds) {
          uncommonBit = 1
          markedBit = mark(Self.hash(of: word, kinds)) ? 1 : 0
        }
      }
      var index = place
      while index < end {
        let kind = kinds[Int(text[index])]
        if kind & Self.endBit != 0 { count = -1 }
        window = window &<< 8 | UInt64(kind & 0xFF)
        uncommon = uncommon &<< 1 | uncommonBit
        marked = marked &<< 1 | markedBit
        count &+= 1
        if count >= Self.width, (uncommon & 0xFF).nonzeroBitCount >= Self.fewestBytes {
          visit((window, index &- place &+ 1 >= Self.width, marked & 0xFF != 0))
        }
        index &+= 1
      }
      place = end
    }
  }

  /// The hash of a word, in whatever case.
  static func hash(of word: some Collection<UInt8>) -> UInt64 {
    Array(word).withUnsafeBufferPointer { word in
      bytes.withUnsafeBufferPointer { hash(of: word, $0) }
    }
  }

  private static func hash(
    of word: UnsafeBufferPointer<UInt8>, _ kinds: UnsafeBufferPointer<UInt16>
  ) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    var place = 0
    while place < word.count {
      hash = (hash ^ UInt64(kinds[Int(word[place])] & 0xFF)) &* 0x100_0000_01B3
      place &+= 1
    }
    return hash
  }

  /// Each byte in lower case, with a bit for those that words have, and one for those that end a value: names
  /// and tokens have none of these.
  private static let bytes: [UInt16] = (0...255).map { byte in
    let isWord = byte >= 0x80 || Unicode.Scalar(UInt8(byte)).isWord
    let isEnd = byte < 0x20 || byte == 0x22 || byte == 0x7B || byte == 0x7D
    let folded = (0x41...0x5A).contains(byte) ? byte + 32 : byte
    return UInt16(folded) | (isWord ? wordBit : 0) | (isEnd ? endBit : 0)
  }
  private static let wordBit: UInt16 = 0x100
  private static let endBit: UInt16 = 0x200

  // Words that all caches share

  private func isCommon(
    _ word: UnsafeBufferPointer<UInt8>, _ kinds: UnsafeBufferPointer<UInt16>
  ) -> Bool {
    if word.count <= 2 { return true }
    if word.count > Self.longest { return false }
    if Self.isNumber(word) { return true }
    let hash = Self.hash(of: word, kinds)
    return filter.mayHave(hash) && hashes.contains(hash)
  }

  /// Small numbers, instants, and pieces of a date such as `14T22` and `191Z`.
  private static func isNumber(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = word.first, (0x30...0x39).contains(first) else { return false }
    let digits = word.count { (0x30...0x39).contains($0) }
    guard digits + 2 >= word.count, digits > 0 else { return false }
    if digits == word.count {
      let isZero = word.dropLast().allSatisfy { $0 == 0x30 }
      return digits <= mostDigits || isZero || Datum.isInstant(Array(word)[...])
    }
    let letters = word.filter { !(0x30...0x39).contains($0) }
    let isPiece = letters.allSatisfy { $0 == UInt8(ascii: "T") || $0 == UInt8(ascii: "Z") }
    return isPiece && (word.count <= 10 || word.count == 15)
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
