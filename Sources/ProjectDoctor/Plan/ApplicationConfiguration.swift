// SPDX-License-Identifier: MIT

/// A filled-in `MSALPublicClientApplicationConfig`, in the language of the app.
extension PlannedApp {
  var configuration: String {
    let facts = diagnosis.facts
    let client = (facts[.clientID].first?.value ?? Self.openClientID).asLiteral
    let authority =
      (facts[.authority].first?.value ?? "https://login.microsoftonline.com/common").asLiteral
    let group = group?.asLiteral
    let literal = isSwift ? "" : "@"
    let redirect = redirectURI.map { "\(literal)\"\($0.asLiteral)\"" } ?? "nil"
    let conditions = [
      "swift": isSwift, "open": redirectURI == nil, "grouped": group != nil,
      // The code has authorities that MSAL does not know by itself.
      "known": !diagnosis.counted([.authorityValidationOff, .authorityUnknownHost]).isEmpty,
    ]
    let swift = """
      swift|import MSAL

      func makeApplication() throws -> MSALPublicClientApplication {
        let authority = try MSALAADAuthority(url: URL(string: "\(authority)")!)
      open|  // nil: MSAL makes the redirect URI of each app's bundle id.
        let configuration = MSALPublicClientApplicationConfig(
          clientId: "\(client)",
          redirectUri: \(redirect), authority: authority)
      known|  configuration.knownAuthorities = [authority]
      grouped|  configuration.cacheConfig.keychainSharingGroup = "\(group ?? "")"
        return try MSALPublicClientApplication(configuration: configuration)
      }
      """
    let objectiveC = """
      #import <MSAL/MSAL.h>

      static MSALPublicClientApplication *MakeApplication(NSError **error) {
        NSURL *url = [NSURL URLWithString:@"\(authority)"];
        MSALAADAuthority *authority = [[MSALAADAuthority alloc] initWithURL:url error:error];
        if (authority == nil) return nil;
      open|  // nil: MSAL makes the redirect URI of each app's bundle id.
        MSALPublicClientApplicationConfig *configuration = [[MSALPublicClientApplicationConfig alloc]
            initWithClientId:@"\(client)"
                 redirectUri:\(redirect)
                   authority:authority];
      known|  configuration.knownAuthorities = @[ authority ];
      grouped|  configuration.cacheConfig.keychainSharingGroup = @"\(group ?? "")";
        return [[MSALPublicClientApplication alloc] initWithConfiguration:configuration error:error];
      }
      """
    return fenced(isSwift ? swift : objectiveC, where: conditions)
  }
}
