// SPDX-License-Identifier: MIT
import CacheJSON

/// A cache of ADAL for Python or Node as their apps keep it, and `accessTokens.json` of Azure CLI until
/// 2.29 and azure-cli 1: a JSON list with an object for each row.
///
/// The dialects are told row by row, since one file can have several. Where the text stops being JSON, one
/// unreadable row has the reason, in the place of all the rest.
///
/// Source: other-adals §3 to §5; `token_cache.py`, `cache_driver.py`, `oauth2_client.py`.
package struct TokenList: Sendable, Hashable {
  /// In the list's order.
  package private(set) var tokens: [LegacyToken] = []
  /// What could not be read, and what is no token: service principals.
  package private(set) var unreadable: [UnreadableToken] = []

  /// Objects of one list; beyond that the file is not a cache of real sign-ins.
  private static let rowLimit = 100_000

  /// Reads what can be read.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, with or without a byte order mark.
  ///   - localTime: the time zone of the machine that wrote the list.
  /// - Throws: ``LegacyCacheError`` (`not-a-list`) when the bytes do not begin as a list.
  package init(_ bytes: [UInt8], localTime: LocalTime) throws(LegacyCacheError) {
    var scanner = JSONScanner(bytes)
    guard scanner.peek() == UInt8(ascii: "[") else {
      throw LegacyCacheError(.notAList, at: scanner.offset)
    }
    do {
      try readRows(&scanner, localTime)
    } catch {
      let place = LegacyPlace.RowKey(index: tokens.count + unreadable.count)
      let isCutOff = error.code == .malformedJSON && !Self.isClosed(bytes)
      let reason = isCutOff ? LegacyCacheError(.truncated, at: bytes.count) : error
      unreadable.append(UnreadableToken(place: .row(place), reason))
    }
  }

  /// Whether the text ends as a list does.
  private static func isClosed(_ bytes: [UInt8]) -> Bool {
    bytes.last { $0 != 0x20 && !(0x09...0x0D).contains($0) } == UInt8(ascii: "]")
  }

  private mutating func readRows(
    _ scanner: inout JSONScanner, _ localTime: LocalTime
  ) throws(LegacyCacheError) {
    do throws(JSONError) {
      var isMore = try scanner.opensArray()
      var index = 0
      while isMore, index < Self.rowLimit {
        _ = scanner.peek()
        var row = scanner
        // The whole object, so that a row that is refused does not end the reading.
        try scanner.skipValue()
        read(&row, index, localTime)
        index += 1
        isMore = try scanner.continuesArray()
      }
      guard isMore else { return try scanner.expectEnd() }
    } catch { throw LegacyCacheError(error) }
    throw LegacyCacheError(.tooManyRows, at: scanner.offset)
  }

  private mutating func read(_ scanner: inout JSONScanner, _ index: Int, _ localTime: LocalTime) {
    let place = LegacyPlace.RowKey(index: index)
    let start = scanner.offset
    do {
      let row = try ListedRow(&scanner, localTime)
      if row.isServicePrincipal {
        unreadable.append(
          UnreadableToken(
            place: .row(place), code: .servicePrincipal, offset: start,
            clientID: try? row.servicePrincipalID()))
      } else if row.isToken {
        tokens.append(try row.token(place))
      } else {
        unreadable.append(
          UnreadableToken(place: .row(place), code: .malformed, offset: start))
      }
    } catch {
      unreadable.append(UnreadableToken(place: .row(place), error))
    }
  }
}
