// SPDX-License-Identifier: MIT
import PlatformFoundation

/// Runs `body` to its end before a signal from a user or the system ends the process. Files that exist only during
/// `body` are then gone: a lock, a journal, a temporary file.
///
/// Only the calling thread holds the signals back. The command has one thread that takes signals; in an app
/// another thread takes them as before.
func finishing<Result>(_ body: () throws -> Result) rethrows -> Result {
  var signals = sigset_t()
  sigemptyset(&signals)
  for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&signals, number) }
  var before = sigset_t()
  pthread_sigmask(SIG_BLOCK, &signals, &before)
  defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
  return try body()
}
