// SPDX-License-Identifier: MIT
import CacheJSON

/// Other words for the words of a cache: the same word is always the same other one, in capitals or
/// not, and two words are never one.
///
/// A word of letters and digits becomes one of as many letters and digits, each in the same place and
/// with the same case, so that everything keeps its length. Which, follows from the seed.
struct Pseudonyms {
  private let seed: [UInt8]
  /// The content that no word may equal or contain.
  private let avoided: SourceWindows?
  private var words: [String: [Unicode.Scalar]] = [:]
  private var taken: Set<[Unicode.Scalar]> = []
  private var identifiers: [[UInt8]: [UInt8]] = [:]
  private var takenIdentifiers: Set<[UInt8]> = []

  init(seed: [UInt8], avoiding avoided: SourceWindows?) {
    self.seed = seed
    self.avoided = avoided
  }

  // Words

  mutating func word(_ word: ArraySlice<Unicode.Scalar>) -> [Unicode.Scalar] {
    let key = String(Array(word)).lowercased()
    let lower = words[key] ?? make(key, like: word)
    guard lower.count == word.count else { return make(key + "\u{0}", like: word) }
    return zip(word, lower).map { $0.isUpper ? $1.upper : $1 }
  }

  private mutating func make(_ key: String, like word: ArraySlice<Unicode.Scalar>)
    -> [Unicode.Scalar]
  {
    // A word of three letters has few others; the last attempts have all of them.
    let original = word.map(\.lower)
    for attempt in 0..<Self.attempts {
      var numbers = Numbers(seed, "word", key.utf8, attempt)
      let start = numbers.below(20)
      let made = word.enumerated().map { place, scalar in
        scalar.another(
          &numbers, isSpeakable: attempt < Self.speakableAttempts, isVowel: (start + place) % 2 == 1
        )
      }
      let isLast = attempt == Self.attempts - 1
      let isGood = made != original && !Vocabulary.words.contains(String(made))
      if (isGood && !taken.contains(made) && !isOfSource(made)) || isLast {
        taken.insert(made)
        words[key] = made
        return made
      }
    }
    return original
  }

  /// Whether a word is one of the source's, or has eight bytes of one.
  private func isOfSource(_ word: [Unicode.Scalar]) -> Bool {
    guard let avoided, word.count >= Self.shortestAvoided else { return false }
    let bytes = Array(String(word).utf8)
    if avoided.mayHave(word: bytes) { return true }
    var window: UInt64 = 0
    return bytes.enumerated().contains { place, byte in
      window = window &<< 8 | UInt64(byte)
      return place + 1 >= OrdinaryWords.width && avoided.mayHave(window: window)
    }
  }

  /// A source may have every word of two letters.
  private static let shortestAvoided = 3
  /// After so many, some of a few words may be one: there are not enough others.
  private static let attempts = 256
  private static let speakableAttempts = 8

  // Identifiers

  /// The replacement of 32 hexadecimal digits. Groups of zeros stay, because they mark personal accounts.
  ///
  /// - Parameter digits: In lower case.
  mutating func identifier(_ digits: [UInt8]) -> [UInt8] {
    if let known = identifiers[digits] { return known }
    var attempt = 0
    while true {
      var numbers = Numbers(seed, "identifier", digits, attempt)
      let made = identifier(digits, &numbers)
      attempt += 1
      let isLast = attempt >= Self.identifierAttempts
      guard made != digits || isLast, takenIdentifiers.insert(made).inserted || isLast else {
        continue
      }
      identifiers[digits] = made
      return made
    }
  }

  private static let identifierAttempts = 64

  private func identifier(_ digits: [UInt8], _ numbers: inout Numbers) -> [UInt8] {
    var made: [UInt8] = []
    var (dashed, plain) = (RecentBytes(avoided), RecentBytes(avoided))
    for group in [0..<8, 8..<12, 12..<16, 16..<20, 20..<32] {
      if group.lowerBound > 0 { dashed.append(UInt8(ascii: "-")) }
      let isZero = digits[group].allSatisfy { $0 == UInt8(ascii: "0") }
      for place in group {
        var digit = digits[place]
        let dash = place == group.upperBound - 1 ? UInt8(ascii: "-") : nil
        for _ in 0..<RecentBytes.attempts where !isZero {
          digit = Self.hexadecimal[numbers.below(16)]
          if !dashed.isOfSource(with: digit, before: dash), !plain.isOfSource(with: digit) { break }
        }
        dashed.append(digit)
        plain.append(digit)
        made.append(digit)
      }
    }
    return made
  }

  private static let hexadecimal = Array("0123456789abcdef".utf8)

  // Secrets

  /// The replacement of an opaque token, with the same length and punctuation.
  func secret(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var numbers = Numbers(seed, "secret", [UInt8](text), 0)
    var recent = RecentBytes(avoided)
    return text.enumerated().map { place, scalar in
      let next = place + 1 < text.count ? text[place + 1] : " "
      let stays = next.isWord ? nil : UInt8(truncatingIfNeeded: next.value)
      var other = scalar
      for _ in 0..<RecentBytes.attempts {
        other = scalar.another(&numbers, isSpeakable: false, isVowel: false)
        guard other.isASCII, scalar.isWord else { break }
        if !recent.isOfSource(with: UInt8(truncatingIfNeeded: other.value), before: stays) { break }
      }
      UTF8.encode(other)?.forEach { recent.append($0) }
      return scalar.isUpper ? other.upper : other
    }
  }

  /// The replacement of a number, with as many digits and no zeros.
  func number(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var numbers = Numbers(seed, "number", [UInt8](text), 0)
    var recent = RecentBytes(avoided)
    return text.map { scalar in
      guard scalar.isDigit else { return scalar }
      return Unicode.Scalar(recent.appendOne { UInt8(0x31 + numbers.below(9)) })
    }
  }

  /// The replacement of unknown bytes, with the same length.
  func secret(_ bytes: [UInt8]) -> [UInt8] {
    var numbers = Numbers(seed, "bytes", Hexadecimal.text(of: bytes).utf8, 0)
    var recent = RecentBytes(avoided)
    return bytes.map { _ in
      recent.appendOne { UInt8(truncatingIfNeeded: numbers.below(256)) }
    }
  }
}

/// The last bytes of a text that is made, so that none follows with which they are a window of the source.
private struct RecentBytes {
  /// So often another byte is tried. One in twenty is avoided without need.
  static let attempts = 16

  private let avoided: SourceWindows?
  private var window: UInt64 = 0
  private var count = 0

  init(_ avoided: SourceWindows?) { self.avoided = avoided }

  /// Whether a byte, or a byte that stays behind it, would complete a window of the source.
  func isOfSource(with byte: UInt8, before next: UInt8? = nil) -> Bool {
    guard let avoided, count + 2 >= OrdinaryWords.width else { return false }
    let window = window &<< 8 | UInt64(byte)
    if avoided.mayHave(window: window) { return true }
    return next.map { avoided.mayHave(window: window &<< 8 | UInt64($0)) } ?? false
  }

  mutating func append(_ byte: UInt8) {
    window = window &<< 8 | UInt64(byte)
    count += 1
  }

  /// Adds a byte that completes no window of the source, if a few attempts make one.
  mutating func appendOne(_ make: () -> UInt8) -> UInt8 {
    var byte: UInt8 = 0
    for _ in 0..<Self.attempts {
      byte = make()
      if !isOfSource(with: byte) { break }
    }
    append(byte)
    return byte
  }
}

/// Numbers that follow from a seed and a text, and tell nothing of either.
private struct Numbers {
  // The state of xoshiro256**. Its state is at most a digest, and the digest says nothing
  // without the seed.
  private var state: (UInt64, UInt64, UInt64, UInt64)
  private var block: UInt64 = 0
  private var left = 0

  init(_ seed: [UInt8], _ kind: String, _ text: some Collection<UInt8>, _ attempt: Int) {
    // A text can be thousands of bytes: it is hashed once.
    let hash = SHA256.hash(of: seed + Array("\u{0}\(kind)\u{0}\(attempt)\u{0}".utf8) + text)
    func word(_ place: Int) -> UInt64 {
      hash.dropFirst(8 * place).prefix(8).reduce(0) { $0 &<< 8 | UInt64($1) }
    }
    state = (word(0), word(1), word(2), word(3))
  }

  /// A number from 0 on below a bound of at most 65,536.
  mutating func below(_ bound: Int) -> Int {
    if left == 0 {
      block = next()
      left = 4
    }
    let number = UInt32(block & 0xFFFF)
    block &>>= 16
    left -= 1
    return Int(number % UInt32(clamping: max(1, bound)))
  }

  private mutating func next() -> UInt64 {
    func rotated(_ value: UInt64, _ bits: UInt64) -> UInt64 {
      value &<< bits | value &>> (64 - bits)
    }
    let result = rotated(state.1 &* 5, 7) &* 9
    let shifted = state.1 &<< 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = rotated(state.3, 45)
    return result
  }
}

extension String {
  init(_ scalars: [Unicode.Scalar]) {
    // The view of a string takes ten times as long to grow.
    self.init(decoding: [UInt8](scalars), as: UTF8.self)
  }

  /// Its scalars. The view of a string takes ten times as long to count.
  var scalars: [Unicode.Scalar] {
    var text = self
    return text.withUTF8 { utf8 in
      utf8.allSatisfy { $0 < 0x80 } ? utf8.map { Unicode.Scalar($0) } : nil
    } ?? Array(unicodeScalars)
  }
}

extension [UInt8] {
  init(_ scalars: [Unicode.Scalar]) {
    self = []
    reserveCapacity(scalars.count)
    for scalar in scalars { append(scalar) }
  }

  mutating func append(_ scalar: Unicode.Scalar) {
    if scalar.isASCII {
      append(UInt8(truncatingIfNeeded: scalar.value))
    } else {
      append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
    }
  }
}

extension Unicode.Scalar {
  var isUpper: Bool { ("A"..."Z").contains(self) }
  var isDigit: Bool { ("0"..."9").contains(self) }
  var isASCIILetter: Bool { ("a"..."z").contains(lower) }
  var isHexadecimal: Bool { isDigit || ("a"..."f").contains(lower) }
  /// Whether it is part of a word: letters and digits of ASCII, and everything beyond.
  var isWord: Bool { isASCIILetter || isDigit || !isASCII }

  var lower: Unicode.Scalar {
    isUpper ? Unicode.Scalar(UInt8(truncatingIfNeeded: value) + 0x20) : self
  }

  var upper: Unicode.Scalar {
    ("a"..."z").contains(self) ? Unicode.Scalar(UInt8(truncatingIfNeeded: value) - 0x20) : self
  }

  private static let vowels = Array("aeiou".unicodeScalars)
  private static let consonants = Array("bcdfghjklmnpqrstvwxz".unicodeScalars)

  /// Another scalar of the same kind, in lower case: a letter, a digit, or one that takes as many bytes
  /// in UTF-8 and in UTF-16. Punctuation stays.
  fileprivate func another(
    _ numbers: inout Numbers, isSpeakable: Bool, isVowel: Bool
  ) -> Unicode.Scalar {
    if isASCIILetter {
      guard isSpeakable else { return Unicode.Scalar(0x61 + UInt8(numbers.below(26))) }
      let choice = isVowel ? Self.vowels : Self.consonants
      return choice[numbers.below(choice.count)]
    }
    if isDigit { return Unicode.Scalar(0x30 + UInt8(numbers.below(10))) }
    guard !isASCII else { return self }
    // Letters without capitals: of Georgian's age none in two bytes, so Latin's small ones.
    let (first, count, step): (UInt32, Int, UInt32) =
      value < 0x800 ? (0x101, 24, 2) : value < 0x10000 ? (0x4E00, 20_000, 1) : (0x20000, 40_000, 1)
    return Unicode.Scalar(first + UInt32(numbers.below(count)) * step) ?? self
  }
}
