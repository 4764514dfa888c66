// SPDX-License-Identifier: MIT
import KeychainItems

/// A keychain item as plain bytes, so that each byte can be changed for itself: account, service,
/// generic, type, modification date and data, with a NUL after each but the last.
///
/// An empty generic, type or date is an absent one; data is absent with the NUL before it.
public enum ItemBytes {
  /// How many of the parts are texts.
  public static let textCount = 5

  static func item(_ bytes: [UInt8]) -> KeychainItem {
    let parts = bytes.split(separator: 0, maxSplits: textCount, omittingEmptySubsequences: false)
    func text(_ index: Int) -> String {
      index < min(parts.count, textCount) ? String(decoding: parts[index], as: UTF8.self) : ""
    }
    let generic = parts.count > 2 && !parts[2].isEmpty ? Array(parts[2]) : nil
    return KeychainItem(
      accessGroup: "ABCDE12345.com.microsoft.adalcache", account: text(0), service: text(1),
      generic: generic, type: Int(text(3)), accessibility: "cku", modified: Double(text(4)),
      data: parts.count > textCount ? TokenSecret(Array(parts[textCount])) : nil)
  }
}
