// SPDX-License-Identifier: MIT
import ProjectFiles

/// The rules for calls and message sends.
extension SourceRules {
  mutating func readInvocation(_ invocation: Invocation) {
    let selector = invocation.selector
    if selector.hasPrefix("acquireToken") { readAcquire(invocation) }
    readCreation(invocation)
    readCacheUse(invocation)
    readGroup(invocation)
    readSaving(invocation)
    switch selector {
    case "setDefaultStorageDelegate": hit(.macArchive, invocation.name)
    case "setWebView":
      if let receiver = invocation.receiverEnd, isContext(receiver) {
        hit(.webView, invocation.name)
      }
    case "setParentController": hit(.parentController, invocation.name)
    case "deleteCookie": hit(.cookieSignOut, invocation.name)
    default:
      if let setting = selector.setterProperty { readSetter(setting, invocation) }
    }
  }

  private mutating func readSetter(_ property: String, _ invocation: Invocation) {
    if let counterpart = Counterparts.settings[property] {
      hit(.settings, invocation.name, becomes: counterpart)
    } else if let counterpart = Counterparts.contextSettings[property],
      let receiver = invocation.receiverEnd, isContext(receiver)
    {
      hit(.settings, invocation.name, becomes: counterpart)
    }
  }

  // Tokens

  private mutating func readAcquire(_ invocation: Invocation) {
    let isCall = !isSwift || invocation.extent.count > 1
    guard isCall, !isDeclaration(invocation) else { return }
    switch invocation.selector {
    case "acquireTokenWithResource", "acquireTokenInteractiveWithResource":
      guard isADALs(invocation) else { return }
      let names =
        isSwift
        ? "`acquireTokenSilent(with:)`, then `acquireToken(with:)`"
        : "`acquireTokenSilentWithParameters:completionBlock:`, "
          + "then `acquireTokenWithParameters:completionBlock:`"
      hit(.acquireToken, invocation.name, becomes: names)
    case "acquireTokenSilentWithResource":
      guard isADALs(invocation) else { return }
      let user = invocation.argument("userId") ?? invocation.argument("userIdentifier")
      let hasUser = user.map { !isNil($0.value) } ?? false
      hit(
        hasUser ? .acquireTokenSilent : .silentWithoutAccount, invocation.name,
        becomes: hasUser
          ? isSwift
            ? "`account(forIdentifier:)`, then `acquireTokenSilent(with:)`"
            : "`accountForIdentifier:error:`, then `acquireTokenSilentWithParameters:completionBlock:`"
          : nil)
    case "acquireTokenByRefreshToken", "acquireTokenWithRefreshToken":
      hit(.refreshToken, invocation.name)
    case "acquireTokenForAssertion":
      hit(.assertion, invocation.name)
    case "acquireTokenWithScopes", "acquireTokenSilentWithScopes":
      if let receiver = invocation.receiverEnd, isContext(receiver) {
        hit(.b2cFork, invocation.name)
      }
      return
    default:
      return
    }
    readExtras(invocation)
    readValues(invocation)
  }

  /// Whether a call has what every call of ADAL's for a resource has.
  private func isADALs(_ invocation: Invocation) -> Bool {
    invocation.argument("clientId") != nil
  }

  private func isDeclaration(_ invocation: Invocation) -> Bool {
    source.identifier(invocation.name - 1) == "func"
  }

  private mutating func readExtras(_ invocation: Invocation) {
    for label in ["extraQueryParameters", "claims"] {
      guard let argument = invocation.argument(label), let token = argument.labelToken,
        !isNil(argument.value)
      else { continue }
      let literal = resolve(argument.value)?.value ?? ""
      let contradicts = ["prompt=", "resource=", "scope="].contains { literal.contains($0) }
      hit(
        .requestExtras, token, severity: contradicts ? .warning : .note,
        becomes: label == "claims" ? "`claimsRequest`" : "`extraQueryParameters`, a dictionary")
    }
  }

  private mutating func readValues(_ invocation: Invocation) {
    let isFirst = invocation.selector.hasSuffix("Resource") && !invocation.arguments.isEmpty
    note(isFirst ? invocation.arguments.first : invocation.argument("resource"), \.resources)
    note(invocation.argument("clientId"), \.clientIDs)
    note(invocation.argument("redirectUri"), \.redirectURIs)
  }

  private mutating func note(
    _ argument: Invocation.Argument?, _ list: WritableKeyPath<GivenValues, [PlacedText]>
  ) {
    guard let argument, let value = resolve(argument.value) else { return }
    values[keyPath: list].append(value)
  }

  // Contexts and other objects

  private mutating func readCreation(_ invocation: Invocation) {
    if isSwift {
      let name = source.word(invocation.name)
      let isInit =
        name == "init" && source.isPunctuation(invocation.name - 1, ".")
        && ADALNames.types.contains(source.word(invocation.name - 2))
      let token = isInit ? invocation.name - 2 : invocation.name
      if ADALNames.types.contains(source.word(token)) {
        create(ADALNames.canonical(source.word(token)), token, invocation)
        return
      }
    }
    guard let receiver = invocation.receiverEnd, let token = receivingClassToken(receiver) else {
      return
    }
    let type = ADALNames.canonical(source.word(token))
    let selector = invocation.selector
    switch type {
    case "ADAuthenticationContext"
    where selector.hasPrefix("authenticationContextWith") || selector.hasPrefix("init"):
      create(type, token, invocation)
    case "ADAuthenticationParameters" where selector.hasPrefix("parametersFrom"):
      take(token)
      hit(.challenge, token)
    case "ADAuthenticationContext", "ADAuthenticationBroker":
      if Self.brokerCalls.contains(source.word(invocation.name)) { take(token) }
    default: break
    }
  }

  static let brokerCalls: Set<String> = [
    "handleADALResponse", "handleBrokerResponse", "isResponseFromBroker",
    "responseFromInterruptedBrokerSession",
  ]

  private mutating func create(_ type: String, _ token: Int, _ invocation: Invocation) {
    guard type == "ADAuthenticationContext" else { return }
    take(token)
    hit(
      .context, token,
      becomes: isSwift
        ? "`MSALPublicClientApplication(configuration:)`"
        : "`[MSALPublicClientApplication initWithConfiguration:error:]`")
    if let first = invocation.arguments.first,
      first.label.isEmpty || first.label.lowercased().hasSuffix("authority")
    {
      note(first, \.authorities)
    }
    for argument in invocation.arguments {
      guard let label = argument.labelToken else { continue }
      switch argument.label {
      case "validateAuthority":
        if ["NO", "false", "FALSE"].contains(argument.value.first.map(source.word) ?? "") {
          hit(.authorityValidationOff, label)
        }
      case "tokenCacheStore": if !isNil(argument.value) { hit(.customStore, label) }
      case "cacheDelegate": hit(.macArchive, label)
      default: break
      }
    }
  }

  // The cache

  private static let reads: Set<String> = [
    "allItems", "allItemsWithError", "getItemWithKey", "getItemsWithKey", "getItemWith",
    "getItemsWith",
  ]
  private static let removals: Set<String> = [
    "removeAllWithError", "removeAllWithUserId", "removeAllForUserId", "removeAllForClientId",
    "wipeAllItemsForUserId", "removeItemWithKey",
  ]

  private mutating func readCacheUse(_ invocation: Invocation) {
    guard let receiver = invocation.receiverEnd, !invocation.arguments.isEmpty || isSwift else {
      if let receiver = invocation.receiverEnd, invocation.selector == "removeAll",
        isStore(receiver)
      {
        hit(.cacheRemove, invocation.name)
      }
      return
    }
    switch invocation.selector {
    case _ where Self.reads.contains(invocation.selector): hit(.cacheRead, invocation.name)
    case _ where Self.removals.contains(invocation.selector): hit(.cacheRemove, invocation.name)
    case "removeItem":
      let isADALs = isSwift ? isStore(receiver) : invocation.argument("error") != nil
      if isADALs, isSwift || invocation.arguments.count == 2 { hit(.cacheRemove, invocation.name) }
    case "removeAll": if isStore(receiver) { hit(.cacheRemove, invocation.name) }
    case "addOrUpdateItem": hit(.cacheWrite, invocation.name)
    case "addOrUpdate": if isStore(receiver) { hit(.cacheWrite, invocation.name) }
    default: break
    }
  }

  /// A token that is put into the user defaults.
  private mutating func readSaving(_ invocation: Invocation) {
    let name = source.word(invocation.name)
    guard name == "setObject" || name == "set" || name == "setValue",
      let receiver = invocation.receiverEnd,
      let value = invocation.arguments.first?.value.last,
      let defaults = outline.tail(endingAt: receiver), isDefaults(defaults),
      let token = outline.tail(endingAt: value),
      ["accessToken", "refreshToken"].contains(source.word(token)),
      outline.receiver(ofMember: token) != nil
    else { return }
    hit(.tokenSaved, invocation.name)
  }
}

extension String {
  /// The property that `setName` sets.
  fileprivate var setterProperty: String? {
    guard hasPrefix("set"), count > 3 else { return nil }
    let name = dropFirst(3)
    return name.prefix(1).lowercased() + name.dropFirst()
  }
}
