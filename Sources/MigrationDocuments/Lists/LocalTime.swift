// SPDX-License-Identifier: MIT

/// The time zone of the machine that wrote a list of ADAL for Python, which spells times as the clock on
/// the wall has them.
package struct LocalTime: Sendable {
  private let secondsFromUTC: @Sendable (Double) -> Int

  /// A time zone.
  ///
  /// - Parameter secondsFromUTC: how far local time is ahead at an instant, which is in Unix seconds.
  package init(secondsFromUTC: @escaping @Sendable (Double) -> Int) {
    self.secondsFromUTC = secondsFromUTC
  }

  /// The instant, in Unix seconds, at which the wall's clock shows `wall`: seconds since 1970 as if it were
  /// UTC. Of the two when clocks are put back it is the earlier one, and so it is for a time that clocks
  /// skip: a token is rather taken to have expired than to live.
  func instant(_ wall: Double) -> Double {
    // No zone is a whole day ahead or behind, so these are before and after the instant.
    let offsets = [wall - Self.day, wall + Self.day].map { Double(secondsFromUTC($0)) }
    let instants = offsets.map { wall - $0 }
    let shown = zip(instants, offsets).filter { Double(secondsFromUTC($0)) == $1 }.map(\.0)
    return (shown.min() ?? instants.min()) ?? wall
  }

  private static let day = 86400.0
}
