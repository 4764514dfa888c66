// SPDX-License-Identifier: MIT

extension MaskedReport: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var tree = ReportTree()
    write(to: &tree)
    try tree.values.first?.encode(to: encoder)
  }
}

/// A report as values in values, for an encoder that wants them so.
private struct ReportTree: ReportSink {
  /// What is written in the list or object that is open, in that order.
  private(set) var values: [Value] = []
  /// The names of the members of the object that is open.
  private var names: [StaticString] = []

  indirect enum Value {
    case text(String)
    case number(Int)
    case flag(Bool)
    case list([Value])
    case object([(name: StaticString, value: Value)])
  }

  mutating func write(_ text: String) { values.append(.text(text)) }
  mutating func write(_ number: Int) { values.append(.number(number)) }
  mutating func write(_ flag: Bool) { values.append(.flag(flag)) }
  mutating func write(name: StaticString) { names.append(name) }
  mutating func endRow() {}

  mutating func writeObject(_ members: (inout Self) -> Void) {
    var inner = Self()
    members(&inner)
    values.append(.object(Array(zip(inner.names, inner.values))))
  }

  mutating func writeList(_ count: Int, _ element: (inout Self, Int) -> Void) {
    var inner = Self()
    for position in 0..<count { element(&inner, position) }
    values.append(.list(inner.values))
  }
}

extension ReportTree.Value: Encodable {
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: StaticString) { stringValue = name.description }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: Name.self)
      for (name, value) in members { try container.encode(value, forKey: Name(name)) }
    case .list(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .text(let text):
      var container = encoder.singleValueContainer()
      try container.encode(text)
    case .number(let number):
      var container = encoder.singleValueContainer()
      try container.encode(number)
    case .flag(let flag):
      var container = encoder.singleValueContainer()
      try container.encode(flag)
    }
  }
}
