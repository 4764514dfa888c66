// SPDX-License-Identifier: MIT

/// A call or a message send.
package struct Invocation: Sendable {
  /// An argument with its label.
  package struct Argument: Sendable {
    /// The part of the selector or the label, without its colon; empty where Swift has none.
    package var label: String
    /// The token of the label, or nil.
    package var labelToken: Int?
    /// The tokens of the value.
    package var value: Range<Int>
  }

  /// The token that names it: the first part of a selector, a function or a class.
  package var name: Int
  /// The name as Objective-C has it: `acquireTokenWithResource` for that selector's first part and
  /// for `acquireToken(withResource:)`.
  package var selector: String
  /// The last token of what it is sent to, or nil.
  package var receiverEnd: Int?
  package var arguments: [Argument]
  /// Its tokens from the bracket on.
  package var extent: Range<Int>

  /// The argument with a label, not the first.
  package func argument(_ label: String) -> Argument? {
    arguments.first { $0.label == label }
  }
}

/// Finds the calls and sends of a file, each bracket once.
extension SourceOutline {
  mutating func readInvocations() {
    for index in source.tokens.indices where source.tokens[index].kind == .punctuation {
      switch source.language {
      case .swift:
        if source.isPunctuation(index, "(") { readCall(index) }
      case .c:
        if source.isPunctuation(index, "[") { readSend(index) }
        if source.isPunctuation(index, "(") { readFunction(index) }
      }
    }
  }

  /// The token after one, or after its brackets.
  private func next(after index: Int) -> Int {
    if let partner = partner(index), partner > index { return partner + 1 }
    return index + 1
  }

  // Swift

  private mutating func readCall(_ open: Int) {
    guard let name = source.identifier(open - 1), let close = partner(open), close > open,
      !source.tokens[open].startsLine, source.identifier(open - 2) != "func"
    else { return }
    var arguments: [Invocation.Argument] = []
    var index = open + 1
    while index < close {
      var label: Int?
      if source.identifier(index) != nil, source.isPunctuation(index + 1, ":") {
        label = index
        index += 2
      }
      let start = index
      while index < close, !source.isPunctuation(index, ",") { index = next(after: index) }
      let value = start..<min(index, close)
      arguments.append(
        .init(
          label: label.map(source.word) ?? "", labelToken: label,
          value: value.lowerBound <= value.upperBound ? value : start..<start))
      index += 1
    }
    let first = arguments.first?.label ?? ""
    invocations.append(
      Invocation(
        name: open - 1,
        selector: first.isEmpty ? name : name + first.prefix(1).uppercased() + first.dropFirst(),
        receiverEnd: source.isPunctuation(open - 2, ".") ? operand(endingAt: open - 3) : nil,
        arguments: arguments,
        extent: open..<(close + 1)))
  }

  // Objective-C

  /// A function of C, as far as rules ask for its name.
  private mutating func readFunction(_ open: Int) {
    guard let name = source.identifier(open - 1), let close = partner(open), close > open else {
      return
    }
    invocations.append(
      Invocation(
        name: open - 1, selector: name, receiverEnd: nil,
        arguments: open + 1 < close
          ? [.init(label: "", labelToken: nil, value: (open + 1)..<close)] : [],
        extent: open..<(close + 1)))
  }

  private mutating func readSend(_ open: Int) {
    guard let close = partner(open), close > open + 1,
      !source.isPunctuation(open - 1, "@"), let receiverEnd = receiverEnd(from: open + 1, to: close)
    else { return }
    let start = receiverEnd + 1
    guard start < close, let name = source.identifier(start) else { return }
    if start + 1 == close {
      unarySends[close] = start
      invocations.append(
        Invocation(
          name: start, selector: name, receiverEnd: receiverEnd, arguments: [],
          extent: open..<(close + 1)))
      return
    }
    guard source.isPunctuation(start + 1, ":") else { return }
    invocations.append(
      Invocation(
        name: start, selector: name, receiverEnd: receiverEnd,
        arguments: arguments(from: start, to: close), extent: open..<(close + 1)))
  }

  /// The last token of the expression that a bracket begins with.
  private func receiverEnd(from start: Int, to close: Int) -> Int? {
    var index = start
    // Casts before the receiver, and stars.
    while source.isPunctuation(index, "("), let end = partner(index), end + 1 < close,
      beginsOperand(end + 1), !isSelectorAlone(end + 1, close)
    {
      index = end + 1
    }
    while source.isPunctuation(index, "*") || source.isPunctuation(index, "&") { index += 1 }
    if source.isPunctuation(index, "@") { index += 1 }
    guard index < close else { return nil }
    guard beginsOperand(index) || partner(index) != nil else { return nil }
    var end = next(after: index) - 1
    while end + 1 < close {
      if source.isPunctuation(end + 1, "."), source.identifier(end + 2) != nil {
        end += 2
      } else if source.isPunctuation(end + 1, "-"), source.isPunctuation(end + 2, ">"),
        source.identifier(end + 3) != nil
      {
        end += 3
      } else if source.isPunctuation(end + 1, "(") || source.isPunctuation(end + 1, "["),
        let close = partner(end + 1), close > end
      {
        end = close
      } else {
        break
      }
    }
    return end < close ? end : nil
  }

  private func beginsOperand(_ index: Int) -> Bool {
    guard source.tokens.indices.contains(index) else { return false }
    let token = source.tokens[index]
    return token.kind == .identifier || token.kind == .string || source.isPunctuation(index, "[")
      || source.isPunctuation(index, "(")
  }

  /// Whether a name is the selector and not the receiver: `[(x) name]`, `[(x) name:y]`.
  private func isSelectorAlone(_ index: Int, _ close: Int) -> Bool {
    source.identifier(index) != nil
      && (index + 1 == close || source.isPunctuation(index + 1, ":"))
  }

  private func arguments(from start: Int, to close: Int) -> [Invocation.Argument] {
    var arguments: [Invocation.Argument] = []
    var label = start
    var index = start + 2
    var value = index
    var questions = 0
    while index < close {
      if source.isPunctuation(index, "?") { questions += 1 }
      if source.isPunctuation(index, ":"), questions > 0 {
        questions -= 1
      } else if source.identifier(index) != nil, source.isPunctuation(index + 1, ":"),
        questions == 0, index > value, index + 1 < close
      {
        arguments.append(
          .init(label: source.word(label), labelToken: label, value: value..<index))
        label = index
        index += 2
        value = index
        continue
      }
      index = next(after: index)
    }
    arguments.append(
      .init(
        label: source.word(label), labelToken: label, value: min(value, close)..<close))
    return arguments
  }
}
