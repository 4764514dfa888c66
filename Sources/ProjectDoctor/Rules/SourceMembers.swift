// SPDX-License-Identifier: MIT
import ProjectFiles

/// The rules for members, and for the keychain group.
extension SourceRules {
  private static let identities: Set<String> = [
    "userId", "uniqueId", "userObjectId", "homeAccountId",
  ]
  private static let claims: Set<String> = [
    "givenName", "familyName", "eMail", "uniqueName", "upn", "tenantId", "subject", "guestId",
    "identityProvider", "rawIdToken", "allClaims", "userIdDisplayable",
  ]

  mutating func readMember(_ name: String, _ index: Int, _ receiver: Int) {
    if Self.identities.contains(name) {
      if isUser(receiver) { readIdentity(name, index) }
    } else if Self.claims.contains(name) {
      if isUser(receiver) { hit(.userInformation, index, becomes: Self.claim(name)) }
    } else if let counterpart = Counterparts.settings[name] {
      hit(.settings, index, becomes: counterpart)
    } else if let counterpart = Counterparts.contextSettings[name] {
      if isContext(receiver) { hit(.settings, index, becomes: counterpart) }
    } else {
      readOther(name, index, receiver)
    }
  }

  private mutating func readIdentity(_ name: String, _ index: Int) {
    let isSaved = isSaved(index)
    hit(
      .userID, index, severity: isSaved ? .warning : .note,
      message: isSaved ? "the app saves ADAL's user name" : nil,
      becomes: "`account.identifier`")
    if isSaved {
      values.savedUserIDs.append(PlacedText(value: name, file: path, span: source.span(index)))
    }
  }

  private static func claim(_ name: String) -> String {
    switch name {
    case "upn", "uniqueName", "eMail": "`account.username`"
    case "tenantId": "`tenantProfile.tenantId`"
    case "rawIdToken": "`result.idToken`"
    default: "`account.accountClaims`"
    }
  }

  private mutating func readOther(_ name: String, _ index: Int, _ receiver: Int) {
    switch name {
    case "tokenCacheStore", "defaultTokenCacheStore": hit(.cache, index)
    case "refreshToken": if isItem(receiver) { hit(.refreshToken, index, severity: .warning) }
    case "webView": if isContext(receiver) { hit(.webView, index) }
    case "parentController": hit(.parentController, index)
    case "protocolCode", "errorDetails":
      hit(.errorCode, index, becomes: Counterparts.error(name))
    case "defaultStorageDelegate": hit(.macArchive, index)
    case _ where Self.brokerCalls.contains(name):
      hit(
        .brokerResponse, index,
        becomes: isSwift
          ? "`MSALPublicClientApplication.handleMSALResponse(_:sourceApplication:)`"
          : "`handleMSALResponse:sourceApplication:`")
    case "sharedGroup", "defaultKeychainGroup", "sharedCacheKeychainGroup":
      // `a.sharedGroup = b`, and not a comparison.
      guard source.isPunctuation(index + 1, "="), !source.isPunctuation(index + 2, "=") else {
        return
      }
      let end = statement(around: index).upperBound
      setGroup(index, (index + 2)..<max(index + 2, end))
    default: break
    }
  }

  private static let groupSetters: Set<String> = [
    "setDefaultKeychainGroup", "setSharedGroup", "setSharedCacheKeychainGroup",
    "keychainCacheForGroup", "initWithGroup", "keychainCache",
  ]

  mutating func readGroup(_ invocation: Invocation) {
    if Self.groupSetters.contains(invocation.selector), let value = invocation.arguments.first,
      invocation.selector != "keychainCache"
    {
      setGroup(invocation.name, value.value)
    } else if isSwift, let first = invocation.arguments.first,
      ["group", "forGroup"].contains(first.label), isCacheOfGroups(invocation)
    {
      setGroup(first.labelToken ?? invocation.name, first.value)
    }
    if let argument = invocation.argument("sharedGroup"), let label = argument.labelToken {
      setGroup(label, argument.value)
    }
  }

  /// `ADKeychainTokenCache(group:)`
  private func isCacheOfGroups(_ invocation: Invocation) -> Bool {
    ADALNames.canonical(source.word(invocation.name)).hasPrefix("ADKeychainTokenCache")
  }

  private mutating func setGroup(_ token: Int, _ value: Range<Int>) {
    let place = PlacedText(value: source.word(token), file: path, span: source.span(token))
    if isNil(value) {
      hit(.groupPrivate, token)
      values.groupUses.append((place, nil))
    } else if let group = resolve(value) {
      values.groupUses.append((place, group))
      guard group.value.groupName != KeychainGroups.shared else { return }
      hit(
        .groupCustom, token,
        message: "ADAL's rows are in the keychain group `\(group.value.shownGroup)`",
        remedy: "set `cacheConfig.keychainSharingGroup` to it, or write to MSAL's group")
    }
  }
}

/// Keychain groups that both libraries know.
enum KeychainGroups {
  /// Where ADAL and MSAL keep their entries on iOS.
  static let shared = "com.microsoft.adalcache"
  /// Where MSAL keeps them on macOS.
  static let universal = "com.microsoft.identity.universalstorage"
}

extension String {
  /// A keychain group without the team's prefix, or the variable that stands for it.
  var groupName: String {
    for variable in ["$(AppIdentifierPrefix)", "$(TeamIdentifierPrefix)"] where hasPrefix(variable)
    {
      return String(dropFirst(variable.count))
    }
    let team = prefix { $0 != "." }
    let isTeam =
      team.utf8.count == 10
      && team.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
    return isTeam ? String(dropFirst(11)) : self
  }

  /// A keychain group for a message: nothing that is not made of a group's characters.
  var shownGroup: String { String(prefix(128)) }
}
