// SPDX-License-Identifier: MIT
import ProjectFiles

/// The names that are given literals anywhere in the project.
struct Constants: Sendable {
  private enum Assignment: Sendable {
    case literal(PlacedText)
    /// A URL made of another name.
    case name(String)
  }

  private var byName: [String: [Assignment]] = [:]
  /// Longer strings are no ids, addresses or groups.
  private static let longest = 512
  /// A name that is given more values than this is no constant.
  private static let most = 64

  mutating func read(_ source: SourceText) {
    for (index, token) in source.tokens.enumerated() {
      if token.kind == .string, token.range.count <= Self.longest,
        let name = source.name(ofLiteral: index), let value = source.literal(index)
      {
        add(.literal(source.placed(value, index)), to: source.word(name))
      } else if token.kind == .identifier, let name = source.name(ofURLOf: index) {
        add(.name(source.word(index)), to: source.word(name))
      }
    }
  }

  private mutating func add(_ assignment: Assignment, to name: String) {
    guard byName[name, default: []].count <= Self.most else { return }
    byName[name, default: []].append(assignment)
  }

  func resolve(_ value: Range<Int>, in source: SourceText) -> PlacedText? {
    guard let token = source.argument(value) else { return nil }
    if let literal = source.literal(token) { return source.placed(literal, token) }
    return source.identifier(token).flatMap { self.value(of: $0, in: source.path, hops: 3) }
  }

  /// The one literal that a name is given; in the file itself before others.
  private func value(of name: String, in file: String, hops: Int) -> PlacedText? {
    guard hops > 0, let assignments = byName[name], assignments.count <= Self.most else {
      return nil
    }
    let literals = assignments.compactMap { assignment in
      switch assignment {
      case .literal(let text): text
      case .name(let other): other == name ? nil : value(of: other, in: file, hops: hops - 1)
      }
    }
    let here = literals.filter { $0.span.file == file }
    let candidates = here.isEmpty ? literals : here
    guard let first = candidates.first, candidates.allSatisfy({ $0.value == first.value }) else {
      return nil
    }
    return first
  }

  func literals(where isIncluded: (String) -> Bool) -> [PlacedText] {
    byName.filter { isIncluded($0.key) }.values.joined().compactMap { assignment in
      if case .literal(let text) = assignment { text } else { nil }
    }
  }
}

extension SourceText {
  /// The name that is given a literal, or nil.
  fileprivate func name(ofLiteral index: Int) -> Int? {
    if kind(index - 1) == .definition {
      let isWhole = index + 1 >= tokens.count || tokens[index + 1].startsLine
      return isWhole ? index - 1 : nil
    }
    if let url = urlStart(ofArgument: index) { return assigned(before: url) }
    return endsExpression(index + 1) ? assigned(before: index) : nil
  }

  /// The name that is given a URL made of another name, or nil.
  fileprivate func name(ofURLOf index: Int) -> Int? {
    guard isPunctuation(index + 1, ")]") else { return nil }
    var start = index
    while isPunctuation(start - 1, "."), identifier(start - 2) != nil { start -= 2 }
    return urlStart(ofArgument: start).flatMap(assigned)
  }

  /// The beginning of a URL whose only argument begins at a token: `URL(string:`, `NSURL(string:`, `[NSURL
  /// URLWithString:`.
  private func urlStart(ofArgument index: Int) -> Int? {
    guard isPunctuation(index - 1, ":") else { return nil }
    let isCall =
      word(index - 2) == "string" && isPunctuation(index - 3, "(")
      && ["URL", "NSURL"].contains(word(index - 4))
    let isSend =
      word(index - 2) == "URLWithString" && word(index - 3) == "NSURL"
      && isPunctuation(index - 4, "[")
    return isCall || isSend ? index - 4 : nil
  }

  /// The name that is given the value that begins at a token, or nil.
  private func assigned(before index: Int) -> Int? {
    guard isPunctuation(index - 1, "="), !isPunctuation(index - 2, "=!") else { return nil }
    var name = index - 2
    while isPunctuation(name, "?!") { name -= 1 }
    if isSwift, isPunctuation(name - 1, ":"), identifier(name - 2) != nil { name -= 2 }
    return identifier(name) == nil ? nil : name
  }

  private func endsExpression(_ index: Int) -> Bool {
    guard tokens.indices.contains(index) else { return true }
    if isPunctuation(index, ";,)}]") { return true }
    return isSwift && tokens[index].startsLine && !isPunctuation(index, "+.")
  }

  /// The value or the name of an argument: a literal, or the name at the end of a chain of names, also inside a URL.
  func argument(_ range: Range<Int>) -> Int? {
    var range = range
    // Marks of optionals, casts of Swift's.
    while let last = range.last, range.count > 1 {
      var dropped = 0
      if isPunctuation(last, "!?") {
        dropped = 1
      } else if identifier(last) != nil, range.count > 2 {
        dropped = identifier(last - 1) == "as" ? 2 : identifier(last - 2) == "as" ? 3 : 0
      }
      if dropped == 0 { break }
      range = range.lowerBound..<(range.upperBound - dropped)
    }
    guard let first = range.first, let last = range.last else { return nil }
    if range.count == 1 {
      return kind(first) == .string || kind(first) == .identifier ? first : nil
    }
    if ["URL", "NSURL"].contains(word(first)), identifier(first + 2) == "string",
      isPunctuation(last, ")"), range.count > 4
    {
      return argument((first + 4)..<last)
    }
    if isPunctuation(first, "["), word(first + 2) == "URLWithString", isPunctuation(last, "]") {
      return first + 4 < last ? argument((first + 4)..<last) : nil
    }
    // `a.b.c`, `a->b`
    guard identifier(last) != nil else { return nil }
    let isChain = range.dropLast().allSatisfy { index in
      identifier(index) != nil || isPunctuation(index, ".?!->")
    }
    return isChain && isPunctuation(last - 1, ".>") ? last : nil
  }
}
