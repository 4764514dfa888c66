// SPDX-License-Identifier: MIT
import Foundation

// The declarations of MSAL for iOS and macOS that our documents use, so that their Swift blocks can be
// type-checked where there is no MSAL. As MSAL 2 shows them to Swift; nothing here does anything.

public class MSALAuthority: NSObject {}

public class MSALAADAuthority: MSALAuthority {
  public init(url: URL) throws {}
}

public class MSALCacheConfig: NSObject {
  public var keychainSharingGroup = ""
}

public class MSALPublicClientApplicationConfig: NSObject {
  public let cacheConfig = MSALCacheConfig()
  public var knownAuthorities: [MSALAuthority] = []
  public var bypassRedirectURIValidation = false
  public init(clientId: String, redirectUri: String?, authority: MSALAuthority?) {}
  public init(clientId: String) {}
}

public class MSALAccount: NSObject {
  public var identifier: String? { nil }
  public var username: String? { nil }
}

public class MSALResult: NSObject {
  public var account: MSALAccount { MSALAccount() }
  public var accessToken: String { "" }
}

public class MSALWebviewParameters: NSObject {}

public class MSALSilentTokenParameters: NSObject {
  public var forceRefresh = false
  public init(scopes: [String], account: MSALAccount) {}
}

public class MSALInteractiveTokenParameters: NSObject {
  public var account: MSALAccount?
  public init(scopes: [String], webviewParameters: MSALWebviewParameters) {}
}

public let MSALErrorDomain = "MSALErrorDomain"

public enum MSALError: Int {
  case interactionRequired = -50002
}

public class MSALPublicClientApplication: NSObject {
  public init(configuration: MSALPublicClientApplicationConfig) throws {}

  public static func handleMSALResponse(_ response: URL, sourceApplication: String?) -> Bool {
    true
  }

  public func allAccounts() throws -> [MSALAccount] { [] }

  public func account(forIdentifier identifier: String) throws -> MSALAccount { MSALAccount() }

  public func remove(_ account: MSALAccount) throws {}

  public func acquireTokenSilent(
    with parameters: MSALSilentTokenParameters,
    completionBlock: @escaping (MSALResult?, (any Error)?) -> Void
  ) {}

  public func acquireToken(
    with parameters: MSALInteractiveTokenParameters,
    completionBlock: @escaping (MSALResult?, (any Error)?) -> Void
  ) {}
}
