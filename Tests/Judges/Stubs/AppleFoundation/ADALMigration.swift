// SPDX-License-Identifier: MIT

// The parts of ADALMigration that the façade for Objective-C uses. The real module was built with another Foundation.
// Compiling the façade with the real module as well checks that it has all of them.

public enum StoreError {
  public static var errorDomain: String { "" }
}

public struct TokenCacheMigration: Sendable {
  public struct Source: Sendable {
    public static func keychain(group: String? = nil) -> Source { Source() }
    public static func blob(_ bytes: [UInt8], file: String? = nil) -> Source { Source() }
  }

  public struct Target: Sendable {
    public static func keychain(group: String? = nil) -> Target { Target() }
  }

  public struct Policy: Sendable {
    public init() {}
  }

  public enum Reason: String, Sendable {
    case okMRRT = "ok.mrrt"
    public var code: String { rawValue }
  }

  public struct MaskedReport: Sendable {
    public func json() -> String { "" }
  }

  public struct Report: Sendable {
    public enum SignedIn: Sendable {
      case yes, byUserName, no
    }

    public struct Account: Sendable {
      public var userID: String?
      public var identifier: String?
      public var reasons: [Reason] = []
      public var environment: String?
      public var clients: [String] = []
      public var signedIn = SignedIn.no
    }

    public struct Summary: Sendable {
      public var accountsSignedIn = 0
      public var accountsToSignIn = 0
      public var written = 0
    }

    public var accounts: [Account] = []
    public var summary = Summary()
    public func masked() -> MaskedReport { MaskedReport() }
    public func account(forADALUserID userID: String) -> Account? { nil }
    public func accounts(forADALUserID userID: String) -> [Account] { [] }
  }

  public init(
    from source: Source = .keychain(), into target: Target = .keychain(), policy: Policy = Policy()
  ) {}
  public func plan() throws -> Report { Report() }
  public func run() throws -> Report { Report() }
}
