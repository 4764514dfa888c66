// SPDX-License-Identifier: MIT
// SnapshotFromDevice [SNAPSHOT] PATH
// What a button of a debug build does. Where there is no keychain, a snapshot stands for it.
#if DEBUG
  import CacheFiles

  let paths = Array(CommandLine.arguments.dropFirst())
  let keychain: any ItemStore =
    paths.count == 2 ? SnapshotFile(path: paths[0]) : SystemKeychain()
  try saveSnapshot(of: keychain, to: paths.last ?? "keychain.sqlite")
#endif
