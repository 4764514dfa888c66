// SPDX-License-Identifier: MIT
import ProjectFiles

/// Which names are given which literals anywhere in the project.
struct Constants: Sendable {
  /// What a name is given.
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

  /// Reads what a file gives to names.
  mutating func read(_ source: SourceText, path: String) {
    for index in source.tokens.indices {
      switch source.tokens[index].kind {
      case .string: readLiteral(index, source, path)
      case .identifier: readURL(index, source)
      default: break
      }
    }
  }

  private mutating func readLiteral(_ index: Int, _ source: SourceText, _ path: String) {
    guard source.tokens[index].range.count <= Self.longest else { return }
    var name: Int?
    if source.tokens.indices.contains(index - 1), source.tokens[index - 1].kind == .definition {
      if source.tokens.indices.contains(index + 1), !source.tokens[index + 1].startsLine { return }
      name = index - 1
    } else if let start = source.urlStart(ofArgument: index) {
      name = source.assigned(before: start)
    } else {
      guard source.endsExpression(index + 1) else { return }
      name = source.assigned(before: index)
    }
    guard let name, let value = source.literal(index) else { return }
    add(
      .literal(PlacedText(value: value, file: path, span: source.span(index))),
      to: source.word(name))
  }

  private mutating func add(_ assignment: Assignment, to name: String) {
    guard byName[name, default: []].count <= Self.most else { return }
    byName[name, default: []].append(assignment)
  }

  private mutating func readURL(_ index: Int, _ source: SourceText) {
    guard source.isPunctuation(index + 1, ")") || source.isPunctuation(index + 1, "]") else {
      return
    }
    var start = index
    while source.isPunctuation(start - 1, "."), source.identifier(start - 2) != nil { start -= 2 }
    guard let url = source.urlStart(ofArgument: start), let name = source.assigned(before: url)
    else { return }
    add(.name(source.word(index)), to: source.word(name))
  }

  /// The one literal that a name is given; in the file itself before others.
  func value(of name: String, in file: String) -> PlacedText? {
    value(of: name, in: file, hops: 3)
  }

  /// The value of an argument, where it is a literal or a name that is given one.
  func resolve(_ value: Range<Int>, in source: SourceText, path: String) -> PlacedText? {
    guard let token = source.argument(value) else { return nil }
    if let literal = source.literal(token) {
      return PlacedText(value: literal, file: path, span: source.span(token))
    }
    return source.identifier(token).flatMap { self.value(of: $0, in: path) }
  }

  private func value(of name: String, in file: String, hops: Int) -> PlacedText? {
    guard hops > 0, let assignments = byName[name], assignments.count <= Self.most else {
      return nil
    }
    var literals: [PlacedText] = []
    for assignment in assignments {
      switch assignment {
      case .literal(let text): literals.append(text)
      case .name(let other):
        if other != name, let text = value(of: other, in: file, hops: hops - 1) {
          literals.append(text)
        }
      }
    }
    let here = literals.filter { $0.file == file }
    let candidates = here.isEmpty ? literals : here
    guard let first = candidates.first, candidates.allSatisfy({ $0.value == first.value }) else {
      return nil
    }
    return first
  }

  /// Every literal that is given to a name that passes.
  func literals(where isIncluded: (String) -> Bool) -> [(name: String, text: PlacedText)] {
    byName.filter { isIncluded($0.key) }.flatMap { name, assignments in
      assignments.compactMap { assignment in
        if case .literal(let text) = assignment { (name, text) } else { nil }
      }
    }
  }
}

extension SourceText {
  /// Where a URL begins whose only argument begins at a token: `URL(string:`, `NSURL(string:`,
  /// `[NSURL URLWithString:`.
  func urlStart(ofArgument index: Int) -> Int? {
    guard isPunctuation(index - 1, ":") else { return nil }
    if identifier(index - 2) == "string", isPunctuation(index - 3, "("),
      ["URL", "NSURL"].contains(word(index - 4))
    {
      return index - 4
    }
    if identifier(index - 2) == "URLWithString", identifier(index - 3) == "NSURL",
      isPunctuation(index - 4, "[")
    {
      return index - 4
    }
    return nil
  }

  /// The name that is given the value that begins at a token, or nil.
  func assigned(before index: Int) -> Int? {
    guard isPunctuation(index - 1, "="), !isPunctuation(index - 2, "="),
      !isPunctuation(index - 2, "!")
    else { return nil }
    var name = index - 2
    while isPunctuation(name, "?") || isPunctuation(name, "!") { name -= 1 }
    if language == .swift, isPunctuation(name - 1, ":"), identifier(name - 2) != nil { name -= 2 }
    return identifier(name) == nil ? nil : name
  }

  /// Whether an expression ends before a token.
  func endsExpression(_ index: Int) -> Bool {
    guard tokens.indices.contains(index) else { return true }
    if [";", ",", ")", "}", "]"].contains(where: { isPunctuation(index, $0) }) { return true }
    return language == .swift && tokens[index].startsLine
      && !isPunctuation(index, "+") && !isPunctuation(index, ".")
  }

  /// What an argument says or names: a literal, or the name at the end of a chain of names, also inside
  /// a URL.
  func argument(_ range: Range<Int>) -> Int? {
    var range = range
    // Marks of optionals, casts of Swift's.
    while let last = range.last, range.count > 1 {
      if isPunctuation(last, "!") || isPunctuation(last, "?") {
        range = range.dropLast()
      } else if identifier(last) != nil, range.count > 2,
        identifier(last - 1) == "as" || identifier(last - 2) == "as"
      {
        range = range.lowerBound..<(identifier(last - 1) == "as" ? last - 1 : last - 2)
      } else {
        break
      }
    }
    guard let first = range.first, let last = range.last else { return nil }
    if range.count == 1 {
      return tokens[first].kind == .string || tokens[first].kind == .identifier ? first : nil
    }
    if ["URL", "NSURL"].contains(word(first)), identifier(first + 2) == "string",
      isPunctuation(last, ")"), range.count > 5 - 1
    {
      return argument((first + 4)..<last)
    }
    if isPunctuation(first, "["), word(first + 2) == "URLWithString", isPunctuation(last, "]") {
      return first + 4 < last ? argument((first + 4)..<last) : nil
    }
    // `a.b.c`, `a->b`
    guard identifier(last) != nil else { return nil }
    for index in range.dropLast() {
      let isChain =
        identifier(index) != nil
        || [".", "?", "!", "-", ">"].contains(where: { isPunctuation(index, $0) })
      guard isChain else { return nil }
    }
    return isPunctuation(last - 1, ".") || isPunctuation(last - 1, ">") ? last : nil
  }
}

extension Range<Int> {
  fileprivate func dropLast() -> Range<Int> {
    isEmpty ? self : lowerBound..<(upperBound - 1)
  }
}
