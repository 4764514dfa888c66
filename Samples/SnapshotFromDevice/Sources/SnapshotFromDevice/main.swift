// SPDX-License-Identifier: MIT
// SnapshotFromDevice [SNAPSHOT] PATH
// The action of a button in a debug build. On systems without a keychain, a snapshot replaces it.
#if DEBUG
  import CacheFiles

  let paths = Array(CommandLine.arguments.dropFirst())
  let keychain: any ItemStore =
    paths.count == 2 ? SnapshotFile(path: paths[0]) : SystemKeychain()
  try saveSnapshot(of: keychain, to: paths.last ?? "keychain.sqlite")
#endif
