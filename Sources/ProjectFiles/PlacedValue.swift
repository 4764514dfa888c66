// SPDX-License-Identifier: MIT

/// A value of a property list, a project file or a JSON text, with the bytes where it stands.
package struct PlacedValue: Sendable {
  package enum Content: Sendable {
    case string(String)
    case array([PlacedValue])
    case dictionary([Entry])
    /// A number, a date, data, a truth value: as it is written.
    case other(String)
  }

  package typealias Entry = (key: String, keyRange: Range<Int>, value: PlacedValue)

  package var content: Content
  /// The value, or where a container begins.
  package var range: Range<Int>

  package var string: String? { if case .string(let text) = content { text } else { nil } }
  package var array: [PlacedValue]? { if case .array(let list) = content { list } else { nil } }
  package var entries: [Entry]? {
    if case .dictionary(let entries) = content { entries } else { nil }
  }

  /// The entry of a dictionary with this key: the first.
  package func entry(_ key: String) -> Entry? { entries?.first { $0.key == key } }
  package subscript(_ key: String) -> PlacedValue? { entry(key)?.value }

  /// The strings of an array, or the one string.
  package var strings: [String] {
    string.map { [$0] } ?? array?.compactMap(\.string) ?? []
  }
}

/// Builds nested values without recursion, so that input of any depth is harmless.
struct PlacedValueBuilder {
  /// The deepest nesting of values. Deeper ones end the reading.
  static let deepest = 256

  private struct Container {
    var isArray: Bool
    var range: Range<Int>
    var values: [PlacedValue] = []
    var entries: [PlacedValue.Entry] = []
    var key: (String, Range<Int>)?
  }

  private var open: [Container] = []
  private(set) var root: PlacedValue?

  var isOpen: Bool { !open.isEmpty }
  /// Whether a dictionary is open that has no key for its next value.
  var expectsKey: Bool { open.last.map { !$0.isArray && $0.key == nil } ?? false }

  mutating func begin(array: Bool, at range: Range<Int>) -> Bool {
    guard open.count < Self.deepest, root == nil else { return false }
    open.append(Container(isArray: array, range: range))
    return true
  }

  /// Ends the innermost container; false if it is not of this kind.
  mutating func end(array: Bool) -> Bool {
    guard let last = open.popLast(), last.isArray == array else { return false }
    add(array ? .array(last.values) : .dictionary(last.entries), at: last.range)
    return true
  }

  mutating func setKey(_ key: String, _ range: Range<Int>) {
    guard !open.isEmpty else { return }
    open[open.count - 1].key = (key, range)
  }

  mutating func add(_ content: PlacedValue.Content, at range: Range<Int>) {
    let value = PlacedValue(content: content, range: range)
    guard let last = open.indices.last else {
      if root == nil { root = value }
      return
    }
    if open[last].isArray {
      open[last].values.append(value)
    } else if let (key, keyRange) = open[last].key {
      open[last].entries.append((key, keyRange, value))
      open[last].key = nil
    }
  }
}
