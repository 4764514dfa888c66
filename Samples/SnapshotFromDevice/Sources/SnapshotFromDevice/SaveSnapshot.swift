// SPDX-License-Identifier: MIT
#if DEBUG
  import CacheFiles
  import Foundation

  /// Copies the app's access group from the keychain into a file, to take from a test device.
  ///
  /// The file holds tokens: test accounts only, and never in a version that ships.
  public func saveSnapshot(of keychain: any ItemStore = SystemKeychain(), to path: String) throws {
    _ = try SnapshotFile(path: path, missing: .isEmpty).add(keychain.items())
    #if os(iOS)
      try FileManager.default.setAttributes(
        [.protectionKey: FileProtectionType.complete], ofItemAtPath: path)
    #endif
  }
#endif
