// SPDX-License-Identifier: MIT

/// The structure of a source file as far as rules need it: pairs of brackets, calls, messages and members.
package struct SourceOutline: Sendable {
  package let source: SourceText
  /// For each bracket the index of its partner, else -1.
  private let partners: [Int32]
  /// For each token the index of the innermost bracket that it is in, else -1.
  private let parents: [Int32]
  /// Calls and message sends in the order of their names.
  package internal(set) var invocations: [Invocation] = []
  /// The index in ``invocations`` of the call that a token names.
  package private(set) var invocationAtName: [Int: Int] = [:]
  /// The token that names a send without arguments, by its closing bracket.
  package internal(set) var unarySends: [Int: Int] = [:]

  package init(_ source: SourceText) {
    self.source = source
    (partners, parents) = Self.brackets(source)
    readInvocations()
    for (index, invocation) in invocations.enumerated() {
      invocationAtName[invocation.name] = index
    }
  }

  package func partner(_ index: Int) -> Int? { Self.entry(index, in: partners) }

  package func parent(_ index: Int) -> Int? { Self.entry(index, in: parents) }

  private static func entry(_ index: Int, in list: [Int32]) -> Int? {
    guard list.indices.contains(index), list[index] >= 0 else { return nil }
    return Int(list[index])
  }

  package func invocation(named index: Int) -> Invocation? {
    invocationAtName[index].map { invocations[$0] }
  }

  /// The last token of a member's receiver, if the token is a member: `a.b`, `a?.b`, `a->b`, `[a b]`.
  package func receiver(ofMember index: Int) -> Int? {
    if source.isPunctuation(index - 1, ".") { return operand(endingAt: index - 2) }
    if source.isPunctuation(index - 1, ">"), source.isPunctuation(index - 2, "-") {
      return operand(endingAt: index - 3)
    }
    return invocation(named: index)?.receiverEnd
  }

  /// The token before marks of optionals.
  func operand(endingAt index: Int) -> Int? {
    var index = index
    while source.isPunctuation(index, "?!") { index -= 1 }
    return index >= 0 ? index : nil
  }

  /// The token of the name that an expression ends in: `userInformation` of `a.userInformation`,
  /// `[a userInformation]`, `a?.userInformation!` and `a.userInformation()`.
  package func tail(endingAt end: Int) -> Int? {
    guard var index = operand(endingAt: end) else { return nil }
    // Parentheses around parentheses are no reason to go on for ever.
    for _ in 0..<8 {
      if source.identifier(index) != nil { return index }
      if source.isPunctuation(index, "]") { return unarySends[index] }
      guard source.isPunctuation(index, ")"), let open = partner(index) else { return nil }
      if source.identifier(open - 1) != nil, source.isSwift { return open - 1 }
      guard let inner = operand(endingAt: index - 1), inner > open else { return nil }
      index = inner
    }
    return nil
  }

  /// Finds partners and parents. A bracket without a partner, which branches of `#if` can leave, closes with the
  /// bracket around it.
  private static func brackets(_ source: SourceText) -> ([Int32], [Int32]) {
    var partners = [Int32](repeating: -1, count: source.tokens.count)
    var parents = partners
    var open: [(index: Int, closing: Unicode.Scalar)] = []
    var waiting: [Unicode.Scalar: Int] = [:]
    for (index, token) in source.tokens.enumerated() {
      var opened: Unicode.Scalar?
      if token.kind == .punctuation {
        let character = Unicode.Scalar(source.text.bytes[token.range.lowerBound])
        opened = character == "(" ? ")" : character == "[" ? "]" : character == "{" ? "}" : nil
        while waiting[character, default: 0] > 0, let last = open.popLast() {
          waiting[last.closing, default: 0] -= 1
          guard last.closing == character else { continue }
          partners[index] = Int32(clamping: last.index)
          partners[last.index] = Int32(clamping: index)
          break
        }
      }
      parents[index] = Int32(clamping: open.last?.index ?? -1)
      guard let opened else { continue }
      open.append((index, opened))
      waiting[opened, default: 0] += 1
    }
    return (partners, parents)
  }
}
