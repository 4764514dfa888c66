// SPDX-License-Identifier: MIT
import Foundation

/// Why a place that holds a cache could not be read or written.
///
/// A program asks for the code, as in `catch StoreError.locked`; only ``code`` takes part in equality.
/// ``message`` is a sentence for a person; it names the place and never holds anything of an item's data.
public struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What kind of failure it is; the command gives each its exit status (contract §5).
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code in one word.
    public let description: String

    init(_ description: String) {
      self.description = description
    }

    /// What is there is not a token cache, or one of a future version.
    public static let notACache = Code("not a cache")
    /// The place does not exist or cannot be opened for reading.
    public static let unreadable = Code("unreadable")
    /// The place cannot be created or written; nothing was changed.
    public static let unwritable = Code("unwritable")
    /// Reading or writing failed half way; the place is as it was.
    public static let interrupted = Code("interrupted")
    /// The place, or the device, is locked: try again.
    public static let locked = Code("locked")
    /// The place does not exist on this system.
    public static let unavailable = Code("unavailable")
    /// The keychain refuses: entitlement or access group missing.
    public static let refused = Code("refused")
  }

  /// What went wrong.
  public var code: Code
  /// One sentence for a person, in lower case and without a full stop; nothing secret.
  public var message: String

  /// An error with a sentence for a person.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }

  public static func == (a: StoreError, b: StoreError) -> Bool { a.code == b.code }
}

// Objective-C and whoever shows an error to a person ask for a localised description.
extension StoreError: LocalizedError {
  /// The sentence, for Cocoa.
  public var errorDescription: String? { message }
}

// `catch StoreError.locked`, as Foundation has it for CocoaError.
extension StoreError {
  /// What is there is not a token cache, or one of a future version.
  public static var notACache: Code { .notACache }
  /// The place does not exist or cannot be opened for reading.
  public static var unreadable: Code { .unreadable }
  /// The place cannot be created or written; nothing was changed.
  public static var unwritable: Code { .unwritable }
  /// Reading or writing failed half way; the place is as it was.
  public static var interrupted: Code { .interrupted }
  /// The place, or the device, is locked: try again.
  public static var locked: Code { .locked }
  /// The place does not exist on this system.
  public static var unavailable: Code { .unavailable }
  /// The keychain refuses: entitlement or access group missing.
  public static var refused: Code { .refused }
}

extension StoreError.Code {
  /// Whether an error is a ``StoreError`` of this code, for `catch` and `switch`.
  public static func ~= (code: StoreError.Code, error: any Error) -> Bool {
    (error as? StoreError)?.code == code
  }
}
