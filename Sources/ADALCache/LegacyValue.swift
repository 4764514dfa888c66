// SPDX-License-Identifier: MIT

import KeychainItems

/// A value that a token service sent and ADAL kept: JSON, and the dates, URLs and bytes that ADAL put
/// in its place.
package enum LegacyValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  case data(Secret)
  /// Unix seconds.
  case date(Double)
  /// The relative part, behind its base where there is one.
  case url(String)
  case array([LegacyValue])
  case dictionary([String: LegacyValue])
}
