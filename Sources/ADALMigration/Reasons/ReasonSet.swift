// SPDX-License-Identifier: MIT
import CacheJSON

/// Reasons, each once, in the order in which a report tells them: the most telling first.
struct ReasonSet: Sendable, Hashable {
  // A bit for each reason, by its number.
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  init(_ reasons: Reason...) { for reason in reasons { insert(reason) } }

  var isEmpty: Bool { low | high == 0 }

  func contains(_ reason: Reason) -> Bool {
    let number = reason.number
    return (number < 64 ? low : high) & 1 << UInt64(number & 63) != 0
  }

  mutating func insert(_ reason: Reason) {
    let number = reason.number
    if number < 64 { low |= 1 << UInt64(number) } else { high |= 1 << UInt64(number & 63) }
  }

  mutating func formUnion(_ other: ReasonSet) {
    low |= other.low
    high |= other.high
  }

  mutating func subtract(_ other: ReasonSet) {
    low &= ~other.low
    high &= ~other.high
  }

  /// The reasons in their order.
  var reasons: [Reason] {
    var reasons: [Reason] = []
    for (bits, start) in [(low, 0), (high, 64)] {
      var rest = bits
      while rest != 0 {
        reasons.append(Reason.all[start + rest.trailingZeroBitCount])
        rest &= rest - 1
      }
    }
    return reasons.ordered(by: Reason.isMoreTelling(_:than:))
  }
}

extension Reason {
  fileprivate static let all = allCases
  private static let ranks = all.map(\.facts.rank.rawValue)

  /// The order of a row's reasons.
  static func isMoreTelling(_ a: Reason, than b: Reason) -> Bool {
    let (left, right) = (ranks[a.number], ranks[b.number])
    return left != right ? left < right : a.code < b.code
  }

  /// The number of the case, from 0: the byte that Swift keeps of an enum without payloads. A test holds it
  /// against ``allCases``.
  var number: Int { withUnsafeBytes(of: self) { Int($0.first ?? 0) } }
}
