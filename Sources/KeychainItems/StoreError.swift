// SPDX-License-Identifier: MIT
import PlatformFoundation

/// An error of reading or writing a place of a cache.
///
/// Catch it by its code, as in `catch StoreError.locked`: only ``code`` counts for equality. ``message`` is one
/// sentence that names the place and has no part of an item's data.
public struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of an error. The command has an exit status for each (contract §5).
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code in one word.
    public let description: String
    /// The code in Cocoa, in the domain of ``StoreError``.
    let number: Int
    /// The remedy, in whole sentences.
    let remedy: String

    init(_ number: Int, _ description: String, remedy: String) {
      self.number = number
      self.description = description
      self.remedy = remedy
    }

    /// The place contains no token cache, or one of a future version.
    public static let notACache = Code(
      1, "not a cache",
      remedy: "Pass the complete, decrypted bytes that ADAL or MSAL stored."
    )
    /// The place does not exist or cannot be opened for reading.
    public static let unreadable = Code(
      2, "unreadable", remedy: "Check that the place exists and that this program may read it.")
    /// The place cannot be created or written; nothing was changed.
    public static let unwritable = Code(
      3, "unwritable",
      remedy: "Check that this program may write there, and run it again. Nothing was changed.")
    /// Reading or writing failed half way; the place is unchanged.
    public static let interrupted = Code(
      4, "interrupted", remedy: "Run it again: it adds the missing entries.")
    /// The place, or the device, is locked: try again.
    public static let locked = Code(
      5, "locked",
      remedy: "Run it again once the device was unlocked, or when the other program is done.")
    /// The place does not exist on this system.
    public static let unavailable = Code(
      6, "unavailable",
      remedy: "Use another place: only Apple's systems have a keychain.")
    /// The keychain denied access: the entitlement or the access group is missing.
    public static let refused = Code(
      7, "refused",
      remedy: "Name the access group in the app's entitlement keychain-access-groups, and sign the "
        + "app with its team's certificate.")
  }

  /// The kind of the error.
  public var code: Code
  /// One sentence, in lower case and without a full stop or a secret.
  public var message: String

  /// An error with its sentence.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }

  public static func == (a: StoreError, b: StoreError) -> Bool { a.code == b.code }
}

// Objective-C and user interfaces ask for these.
extension StoreError: LocalizedError {
  /// The domain of all errors of this library; each kind has codes of its own in it.
  public static let errorDomain = "ADALMigrationErrorDomain"
  /// 1 to 7, in the order in which ``Code`` names them.
  public var errorCode: Int { code.number }
  /// ``message``, for Cocoa.
  public var errorDescription: String? { message }
  /// The remedy, for Cocoa.
  public var recoverySuggestion: String? { code.remedy }
  /// ``message`` and the remedy.
  public var errorUserInfo: [String: Any] { Self.userInfo(of: self) }

  /// The content of an `NSError`, under Cocoa's keys.
  package static func userInfo(of error: some LocalizedError) -> [String: Any] {
    [
      "NSLocalizedDescription": error.errorDescription,
      "NSLocalizedRecoverySuggestion": error.recoverySuggestion,
    ].compactMapValues { $0 }
  }
}

#if canImport(Darwin)
  extension StoreError: CustomNSError {}
#endif

// `catch StoreError.locked`, as Foundation has it for CocoaError.
extension StoreError {
  /// ``StoreError/Code/notACache``.
  public static var notACache: Code { .notACache }
  /// ``StoreError/Code/unreadable``.
  public static var unreadable: Code { .unreadable }
  /// ``StoreError/Code/unwritable``.
  public static var unwritable: Code { .unwritable }
  /// ``StoreError/Code/interrupted``.
  public static var interrupted: Code { .interrupted }
  /// ``StoreError/Code/locked``.
  public static var locked: Code { .locked }
  /// ``StoreError/Code/unavailable``.
  public static var unavailable: Code { .unavailable }
  /// ``StoreError/Code/refused``.
  public static var refused: Code { .refused }
}

extension StoreError.Code {
  /// Whether an error is a ``StoreError`` of this code, for `catch` and `switch`.
  public static func ~= (code: StoreError.Code, error: any Error) -> Bool {
    (error as? StoreError)?.code == code
  }
}
