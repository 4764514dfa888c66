// SPDX-License-Identifier: MIT
import ADAL
import UIKit

/// Signs users in, as apps with ADAL do.
final class SignIn {
  private let clientID = "12345678-1234-1234-1234-123456789012"
  private let resource = "https://graph.microsoft.com"
  private let redirectURI = "legacyapp://com.contoso.legacy"
  private let authority = "https://login.microsoftonline.com/common"

  private var context: ADAuthenticationContext?

  /// Gives a token, from the cache where there is one.
  func token(_ done: @escaping (String?) -> Void) {
    context = ADAuthenticationContext(authority: authority, error: nil)
    context?.acquireToken(
      withResource: resource, clientId: clientID, redirectUri: URL(string: redirectURI)
    ) { result in
      guard let result, result.status == AD_SUCCEEDED else { return done(nil) }
      UserDefaults.standard.set(result.tokenCacheItem.userInformation?.userId, forKey: "user")
      done(result.accessToken)
    }
  }
}
