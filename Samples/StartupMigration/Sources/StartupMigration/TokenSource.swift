// SPDX-License-Identifier: MIT
#if canImport(MSAL)
  import Foundation
  import MSAL

  /// The app's token requests after the migration: it finds the account by its identifier, asks for a token
  /// silently, and only if that fails shows the sign-in.
  struct TokenSource {
    let application: MSALPublicClientApplication
    let webview: MSALWebviewParameters

    /// A token for one of the resources that the app gave ADAL.
    func token(
      for resource: String, identifier: String,
      then: @escaping (Result<String, any Error>) -> Void
    ) {
      // MSAL finds the migrated token by exactly this scope: a resource that ends in "/" gives "//".
      let scopes = ["\(resource)/.default"]
      guard let account = try? application.account(forIdentifier: identifier) else {
        return signIn(nil, scopes, then)
      }
      let silently = MSALSilentTokenParameters(scopes: scopes, account: account)
      application.acquireTokenSilent(with: silently) { result, error in
        if let result { return then(.success(result.accessToken)) }
        let error = (error ?? CocoaError(.featureUnsupported)) as NSError
        guard error.domain == MSALErrorDomain,
          error.code == MSALError.interactionRequired.rawValue
        else { return then(.failure(error)) }
        signIn(account, scopes, then)
      }
    }

    private func signIn(
      _ account: MSALAccount?, _ scopes: [String],
      _ then: @escaping (Result<String, any Error>) -> Void
    ) {
      let parameters = MSALInteractiveTokenParameters(scopes: scopes, webviewParameters: webview)
      parameters.account = account
      application.acquireToken(with: parameters) { result, error in
        if let result { return then(.success(result.accessToken)) }
        then(.failure(error ?? CocoaError(.userCancelled)))
      }
    }
  }
#endif
