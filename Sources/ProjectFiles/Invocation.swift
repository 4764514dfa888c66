// SPDX-License-Identifier: MIT

/// A call or a message send.
package struct Invocation: Sendable {
  package struct Argument: Sendable {
    /// The part of the selector or the label, without its colon; empty where Swift has none.
    package var label: String
    package var labelToken: Int?
    /// The tokens of the value.
    package var value: Range<Int>
  }

  /// The token that names it: the first part of a selector, a function or a class.
  package var name: Int
  /// The name as Objective-C has it: `acquireTokenWithResource` for that selector's first part and
  /// for `acquireToken(withResource:)`.
  package var selector: String
  /// The last token of the receiver, or nil.
  package var receiverEnd: Int?
  package var arguments: [Argument] = []

  /// The argument with a label, not the first.
  package func argument(_ label: String) -> Argument? {
    arguments.first { $0.label == label }
  }
}

/// Finds the calls and sends of a file, each bracket once.
extension SourceOutline {
  mutating func readInvocations() {
    for index in source.tokens.indices where source.tokens[index].kind == .punctuation {
      if source.isPunctuation(index, "["), !source.isSwift { readSend(index) }
      guard source.isPunctuation(index, "(") else { continue }
      if source.isSwift { readCall(index) } else { readFunction(index) }
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
      let isLabeled = source.identifier(index) != nil && source.isPunctuation(index + 1, ":")
      let label = isLabeled ? index : nil
      if isLabeled { index += 2 }
      let start = index
      while index < close, !source.isPunctuation(index, ",") { index = next(after: index) }
      arguments.append(
        .init(
          label: label.map(source.word) ?? "", labelToken: label, value: start..<min(index, close)))
      index += 1
    }
    let first = arguments.first?.label ?? ""
    let receiver = source.isPunctuation(open - 2, ".") ? operand(endingAt: open - 3) : nil
    invocations.append(
      Invocation(
        name: open - 1, selector: name + first.prefix(1).uppercased() + first.dropFirst(),
        receiverEnd: receiver, arguments: arguments))
  }

  // Objective-C

  /// A function of C, as far as rules ask for its name.
  private mutating func readFunction(_ open: Int) {
    guard let name = source.identifier(open - 1), let close = partner(open), close > open else {
      return
    }
    var call = Invocation(name: open - 1, selector: name)
    if open + 1 < close {
      call.arguments = [.init(label: "", labelToken: nil, value: (open + 1)..<close)]
    }
    invocations.append(call)
  }

  private mutating func readSend(_ open: Int) {
    guard let close = partner(open), close > open + 1,
      !source.isPunctuation(open - 1, "@"), let receiver = receiverEnd(from: open + 1, to: close)
    else { return }
    let start = receiver + 1
    guard start < close, let name = source.identifier(start) else { return }
    var send = Invocation(name: start, selector: name, receiverEnd: receiver)
    if start + 1 == close {
      unarySends[close] = start
    } else if source.isPunctuation(start + 1, ":") {
      send.arguments = arguments(from: start, to: close)
    } else {
      return
    }
    invocations.append(send)
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
    while source.isPunctuation(index, "*&") { index += 1 }
    if source.isPunctuation(index, "@") { index += 1 }
    guard index < close, beginsOperand(index) || partner(index) != nil else { return nil }
    var end = next(after: index) - 1
    while end + 1 < close {
      let isArrow = source.isPunctuation(end + 1, "-") && source.isPunctuation(end + 2, ">")
      let member = source.isPunctuation(end + 1, ".") ? end + 2 : isArrow ? end + 3 : nil
      if let member, source.identifier(member) != nil {
        end = member
      } else if source.isPunctuation(end + 1, "(["), let close = partner(end + 1),
        close > end
      {
        end = close
      } else {
        break
      }
    }
    return end < close ? end : nil
  }

  private func beginsOperand(_ index: Int) -> Bool {
    source.identifier(index) != nil || source.kind(index) == .string
      || source.isPunctuation(index, "[(")
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
    var questions = 0
    func append(upTo end: Int) {
      let value = min(label + 2, end)..<end
      arguments.append(.init(label: source.word(label), labelToken: label, value: value))
    }
    while index < close {
      if source.isPunctuation(index, "?") { questions += 1 }
      if source.isPunctuation(index, ":"), questions > 0 {
        questions -= 1
      } else if source.identifier(index) != nil, source.isPunctuation(index + 1, ":"),
        questions == 0, index > label + 2, index + 1 < close
      {
        append(upTo: index)
        label = index
        index += 2
        continue
      }
      index = next(after: index)
    }
    append(upTo: close)
    return arguments
  }
}
