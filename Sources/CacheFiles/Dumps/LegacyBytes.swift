// SPDX-License-Identifier: MIT
import CacheJSON

/// How the caches of ADAL for .NET, Python and Node begin. What they hold is not this target's business.
enum LegacyBytes {
  /// Whether these are the first bytes of ADAL.NET's blob: a small number of 32 bits, its schema. Windows'
  /// and ASP.NET Core's protection are taken for one, too: their reader says what they are.
  static func areBlob(_ start: [UInt8]) -> Bool {
    start.starts(with: [0x09, 0xF0, 0xC9, 0xF0])
      || (start.first ?? 0) > 0 && start.dropFirst().starts(with: [0, 0, 0])
  }

  /// What a list is whose first object has these members.
  static func kind(ofList bytes: [UInt8]) -> CacheFile.Kind {
    let keys = JSONScanner.keys(ofFirstIn: bytes)
    if !keys.isDisjoint(with: ["_clientId", "_authority", "servicePrincipalId"]) { return .list }
    return keys.isSuperset(of: ["Key", "Value"]) ? .unifiedList : .items
  }
}
