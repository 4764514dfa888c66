// SPDX-License-Identifier: MIT
@testable import ProjectDoctor

extension RuleSample {
  static let calls: [RuleSample] = [
    .objectiveC(.type, "@class ADAuthenticationResult;", miss: "@class ADTestAppSettings;"),
    .objectiveC(
      .type, "[ADAuthenticationContext foo];\nADAuthenticationError *e;", ["2", "3"],
      miss: "[[ADAuthenticationSettings sharedInstance] setDefaultKeychainGroup:nil];"),
    .swift(.type, "var e: ADALAuthenticationError?", miss: "var e: ADBannerView?"),
    .swift(
      .context, "let c = ADAuthenticationContext(authority: a, error: nil)",
      miss: "let c: ADAuthenticationContext? = nil"),
    .objectiveC(
      .context, "c = [[ADAuthenticationContext alloc] initWithAuthority:a error:&e];",
      miss: "ADAuthenticationContext *c = nil;"),
    .objectiveC(
      .acquireToken,
      "[c\n acquireTokenWithResource:r clientId:i redirectUri:u completionBlock:^(id r) {}];",
      ["3"],
      miss: "- (void)acquireTokenWithResource:(NSString *)r clientId:(NSString *)i;"),
    .swift(
      .acquireToken, "c.acquireToken(withResource: r, clientId: i, redirectUri: u) { r in }",
      miss: "func acquireToken(withResource r: String, clientId: String) {}\nself.acquireToken()"),
    .swift(
      .acquireToken, "c.acquireTokenWithResource(r, clientId: i, redirectUri: u) { r in }",
      miss: "c.acquireTokenWithResource(r)"),
    .objectiveC(
      .acquireTokenSilent,
      "[c acquireTokenSilentWithResource:r clientId:i redirectUri:u userId:x completionBlock:b];",
      miss:
        "[c acquireTokenSilentWithResource:r clientId:i redirectUri:u userId:nil completionBlock:b];"
    ),
    .swift(
      .silentWithoutAccount,
      "c.acquireTokenSilent(withResource: r, clientId: i, redirectUri: u) {}",
      miss: "c.acquireTokenSilent(withResource: r, clientId: i, redirectUri: u, userId: x) {}"),
    .objectiveC(
      .prompt, "p = AD_PROMPT_ALWAYS;\np = AD_PROMPT_REFRESH_SESSION;", ["2", "3 warning"],
      miss: "NSString *p = @\"AD_PROMPT_ALWAYS\";"),
    .objectiveC(
      .requestExtras,
      "[c acquireTokenWithResource:r clientId:i redirectUri:u userId:x\n extraQueryParameters:@\"prompt=login\" completionBlock:b];",
      ["3 warning"],
      miss:
        "[c acquireTokenWithResource:r clientId:i redirectUri:u userId:x extraQueryParameters:nil completionBlock:b];"
    ),
    .objectiveC(
      .userIdentifier, "x = [ADUserIdentifier identifierWithId:i];",
      miss: "ADUserIdentifier *x = nil;"),
    .objectiveC(
      .userID,
      "s = [[result tokenCacheItem] userInformation].userId;\n"
        + "[[NSUserDefaults standardUserDefaults] setObject:a.userInformation.uniqueId forKey:k];",
      ["2", "3 warning"], miss: "s = user.userId;"),
    .swift(
      .userID, "func f(info: ADUserInformation) {\n  use(info.userId)\n}", ["3"],
      miss: "func f(info: ADUserInformation) {\n  let info = Other()\n  use(info.userId)\n}"),
    .objectiveC(
      .userInformation, "n = [[item userInformation] givenName];", miss: "n = person.givenName;"),
    .swift(
      .cache, "let c = ADKeychainTokenCache.defaultKeychain()", miss: "let c: ADKeychainTokenCache"),
    .objectiveC(
      .cache, "c = [ADKeychainTokenCacheStore new];\nc = x.tokenCacheStore;", ["2", "3"],
      miss: "b = [c isKindOfClass:[ADKeychainTokenCacheStore class]];"),
    .objectiveC(.cacheRead, "i = [cache allItems:nil];", miss: "i = list.allItems;"),
    .swift(
      .cacheRemove, "x.removeAll(forUserId: u, clientId: c, error: nil)",
      miss: "array.removeAll()\nmanager.removeItem(at: url)"),
    .objectiveC(
      .cacheRemove, "[cache removeAllForClientId:c error:&e];\n[cache removeItem:i error:&e];",
      ["2", "3"], miss: "[manager removeItemAtPath:p error:&e];"),
    .objectiveC(
      .cacheWrite, "[store addOrUpdateItem:i error:&e];", miss: "[store addOrUpdateAccount:i];"),
    .objectiveC(
      .refreshToken,
      "[c acquireTokenByRefreshToken:t clientId:i completionBlock:b];\nt = r.tokenCacheItem.refreshToken;",
      ["2", "3 warning"], miss: "t = self.refreshToken;"),
    .objectiveC(
      .assertion,
      "[c acquireTokenForAssertion:a assertionType:AD_SAML2\n resource:r clientId:i userId:u completionBlock:b];",
      ["2", "2"], miss: "NSLog(@\"AD_SAML2\");"),
    .objectiveC(
      .brokerResponse, "[ADAuthenticationContext handleBrokerResponse:url];",
      miss: "- (void)handleBrokerResponse:(NSURL *)url;"),
    .swift(
      .credentialsType, "c.credentialsType = AD_CREDENTIALS_AUTO\nc.x = AD_CREDENTIALS_EMBEDDED",
      ["2", "3 warning"], miss: "c.credentialsType = type"),
    .objectiveC(.webView, "self.authContext.webView = w;", miss: "self.controller.webView = w;"),
    .swift(
      .webAuth, "ADWebAuthController.cancelCurrentWebAuthSession()",
      miss: "WebAuthController.cancel()"),
    .objectiveC(
      .parentController, "c.parentController = self;", miss: "id parentController = self;"),
    .objectiveC(
      .settings,
      "[ADAuthenticationSettings sharedInstance].requestTimeOut = 3;\n[authContext setCorrelationId:i];",
      ["2", "3"], miss: "request.correlationId = i;"),
    .objectiveC(
      .logger, "[ADLogger setLevel:ADAL_LOG_LEVEL_INFO];", ["2", "2"], miss: "[ADLog setLevel:1];"),
    .objectiveC(.result, "if (r.status == AD_SUCCEEDED) {}", miss: "if (r.status == 0) {}"),
    .objectiveC(
      .errorCode, "if (c == AD_ERROR_UI_USER_CANCEL) {}\ns = error.protocolCode;", ["2", "3"],
      miss: "if (c == AD_ERROR_OF_OURS) {}"),
    .swift(
      .errorCode, "if e.code == ADErrorCode.ERROR_UI_USER_CANCEL.rawValue {}",
      miss: "let s = \"ADErrorCode.ERROR_UI_USER_CANCEL\""),
    .objectiveC(
      .challenge, "[ADAuthenticationParameters parametersFromResponse:r error:&e];",
      miss: "ADAuthenticationParameters *p;"),
    .objectiveC(
      .b2cFork, "[self.context acquireTokenWithScopes:s clientId:i];\nADProfileInfo *p;",
      ["2", "3"],
      miss: "[application acquireTokenWithScopes:s clientId:i];"),
    .objectiveC(
      .tokenSaved,
      "[[NSUserDefaults standardUserDefaults] setObject:result.accessToken forKey:@\"t\"];",
      miss: "[keychain setObject:result.accessToken forKey:@\"t\"];"),
    .swift(
      .tokenSaved, "let d = UserDefaults.standard\nd.set(item.refreshToken, forKey: \"t\")", ["3"],
      miss: "let d = UserDefaults.standard\nd.set(item.name, forKey: \"accessToken\")"),
    .objectiveC(
      .cookieSignOut, "[store deleteCookie:c];", miss: "[store setCookie:c];"),
  ]
}
