// SPDX-License-Identifier: MIT

/// The names that a source file declares, with their types, as far as they are written.
package struct Declarations: Sendable {
  /// A declaration of a name: its token, and the type's first name or the protocol of `id<…>`; nil for a name without a
  /// type.
  package typealias Declaration = (token: Int, type: String?)

  private var byName: [String: [Declaration]] = [:]

  package init(_ outline: SourceOutline) {
    let source = outline.source
    for index in source.tokens.indices where source.tokens[index].kind == .identifier {
      if source.isSwift { readSwift(index, source) } else { readC(index, outline) }
    }
  }

  package func nearest(_ name: String, before token: Int) -> Declaration? {
    let list = all(name)
    return list.prefix(list.partitioningIndex { $0.token >= token }).last
  }

  package func all(_ name: String) -> [Declaration] { byName[name] ?? [] }

  private mutating func add(_ name: Int, _ type: String?, _ source: SourceText) {
    byName[source.word(name), default: []].append((name, type))
  }

  // Swift

  private static let modifiers: Set<String> = ["inout", "escaping", "autoclosure", "weak", "some"]

  private mutating func readSwift(_ index: Int, _ source: SourceText) {
    let previous = source.identifier(index - 1)
    let isLoop = previous == "for" && source.identifier(index + 1) == "in"
    let type = swiftType(after: index, source)
    if previous == "let" || previous == "var" || isLoop {
      add(index, type, source)
    } else if source.isPunctuation(index + 1, ":"), type?.isCapitalized ?? false {
      // A parameter, or an argument with its label, which declares nothing and does no harm.
      add(index, type, source)
    }
  }

  private func swiftType(after name: Int, _ source: SourceText) -> String? {
    if source.isPunctuation(name + 1, ":") {
      var index = name + 2
      while source.isPunctuation(index, "@") || Self.modifiers.contains(source.word(index)) {
        index += 1
      }
      return source.identifier(index)
    }
    // `let a = Type(…)`
    let isMade = source.isPunctuation(name + 1, "=") && source.isPunctuation(name + 3, "(")
    return isMade ? source.identifier(name + 2).flatMap { $0.isCapitalized ? $0 : nil } : nil
  }

  // Objective-C

  private static let qualifiers: Set<String> = [
    "__strong", "__weak", "__autoreleasing", "__block", "__unsafe_unretained", "_Nullable",
    "_Nonnull", "nullable", "nonnull", "__nullable", "__nonnull", "const", "__kindof",
  ]
  private static let noTypes: Set<String> = [
    "return", "case", "goto", "else", "typedef", "in", "sizeof", "break", "continue", "do",
    "throw", "new", "delete", "static", "extern", "struct", "enum", "union", "inline",
  ]
  /// A type's protocols and parameters are read over so many tokens.
  private static let longestGenerics = 32

  private mutating func readC(_ index: Int, _ outline: SourceOutline) {
    let source = outline.source
    var type = source.word(index)
    guard !Self.noTypes.contains(type), !Self.qualifiers.contains(type) else { return }
    var next = index + 1
    if source.isPunctuation(next, "<") {
      guard let end = genericsEnd(next, source) else { return }
      if type == "id" { type = source.identifier(next + 1) ?? type }
      next = end + 1
    }
    while source.isPunctuation(next, "*") || Self.qualifiers.contains(source.word(next)) {
      next += 1
    }
    if source.isPunctuation(next, ")"), source.identifier(next + 1) != nil {
      // `- (void)name:(Type *)parameter`
      guard let open = outline.partner(next), source.isPunctuation(open - 1, ":"),
        outline.parent(open).map({ !source.isPunctuation($0, "[") }) ?? true
      else { return }
      add(next + 1, type, source)
      return
    }
    guard next > index, source.identifier(next) != nil else { return }
    let after = next + 1
    if source.isPunctuation(after, ";=,)") || source.word(after) == "in" {
      add(next, type, source)
    }
  }

  private func genericsEnd(_ open: Int, _ source: SourceText) -> Int? {
    var depth = 0
    for index in open..<(open + Self.longestGenerics) {
      if source.isPunctuation(index, ";{") { return nil }
      if source.isPunctuation(index, "<") { depth += 1 }
      if source.isPunctuation(index, ">") { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }
}

extension String {
  fileprivate var isCapitalized: Bool { first?.isUppercase ?? false }
}
