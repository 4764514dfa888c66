// SPDX-License-Identifier: MIT
import CacheJSON

/// Reasons, each once, in the order in which a report tells them: the most telling first.
struct ReasonSet: Sendable, Hashable {
  // A bit for each reason, by its place in `Reason.inOrder`.
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  init(_ reasons: Reason...) { for reason in reasons { insert(reason) } }

  var isEmpty: Bool { low | high == 0 }

  func contains(_ reason: Reason) -> Bool {
    let place = reason.place
    return (place < 64 ? low : high) & 1 << UInt64(place & 63) != 0
  }

  mutating func insert(_ reason: Reason) {
    let place = reason.place
    if place < 64 { low |= 1 << UInt64(place) } else { high |= 1 << UInt64(place & 63) }
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
        reasons.append(Reason.inOrder[start + rest.trailingZeroBitCount])
        rest &= rest - 1
      }
    }
    return reasons
  }
}

extension Reason {
  /// All reasons, the most telling first.
  fileprivate static let inOrder = allCases.ordered(by: isMoreTelling(_:than:))
  private static let places: [UInt8] = {
    var places = [UInt8](repeating: 0, count: 128)
    for (place, reason) in inOrder.enumerated() { places[reason.number] = UInt8(place) }
    return places
  }()

  /// The place of the reason in that order.
  fileprivate var place: Int { Int(Self.places[number]) }

  /// The number of the case, from 0: the byte that Swift keeps of an enum without payloads. A test holds it
  /// against ``allCases``.
  var number: Int { withUnsafeBytes(of: self) { Int($0.first ?? 0) } }
}
