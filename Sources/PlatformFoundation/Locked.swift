// SPDX-License-Identifier: MIT

/// A value that one thread at a time may read or change.
///
/// `Mutex` needs macOS 15 and iOS 18, and `NSLock` is in the larger part of Foundation.
package final class Locked<Value>: @unchecked Sendable {
  // Guarded by `mutex`, which makes the class Sendable.
  private var value: Value
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  package init(_ value: Value) {
    self.value = value
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
