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
    readSetter(invocation)
    if selector == "deleteCookie" { hit(.cookieSignOut, invocation.name) }
  }

  // Tokens

  private mutating func readAcquire(_ invocation: Invocation) {
    guard source.identifier(invocation.name - 1) != "func" else { return }
    let isForClient = invocation.argument("clientId") != nil
    switch invocation.selector {
    case "acquireTokenWithResource", "acquireTokenInteractiveWithResource":
      // Every call of ADAL's for a resource names a client.
      guard isForClient else { return }
      hit(
        .acquireToken, invocation.name,
        becomes: isSwift
          ? "`acquireTokenSilent(with:)`, then `acquireToken(with:)`"
          : "`acquireTokenSilentWithParameters:completionBlock:`, "
            + "then `acquireTokenWithParameters:completionBlock:`")
    case "acquireTokenSilentWithResource":
      guard isForClient else { return }
      let user = invocation.argument("userId") ?? invocation.argument("userIdentifier")
      if user.map({ isNil($0.value) }) ?? true {
        hit(.silentWithoutAccount, invocation.name)
      } else {
        hit(
          .acquireTokenSilent, invocation.name,
          becomes: isSwift
            ? "`account(forIdentifier:)`, then `acquireTokenSilent(with:)`"
            : "`accountForIdentifier:error:`, then "
              + "`acquireTokenSilentWithParameters:completionBlock:`")
      }
    case "acquireTokenByRefreshToken", "acquireTokenWithRefreshToken":
      hit(.refreshToken, invocation.name)
    case "acquireTokenForAssertion":
      hit(.assertion, invocation.name)
    case "acquireTokenWithScopes", "acquireTokenSilentWithScopes":
      if invocation.receiverEnd.map(isContext) ?? false { hit(.b2cFork, invocation.name) }
      return
    default:
      return
    }
    readExtras(invocation)
    readValues(invocation)
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
    note(isFirst ? invocation.arguments.first : invocation.argument("resource"), .resource)
    note(invocation.argument("clientId"), .clientID)
    note(invocation.argument("redirectUri"), .redirectURI)
  }

  private mutating func note(_ argument: Invocation.Argument?, _ kind: ValueKind) {
    if let text = argument.flatMap({ resolve($0.value) }) {
      values[kind, default: []].append(text)
    }
  }

  // Contexts and other objects

  private mutating func readCreation(_ invocation: Invocation) {
    if isSwift {
      let isInit =
        source.word(invocation.name) == "init" && source.isPunctuation(invocation.name - 1, ".")
        && ADALNames.types[source.word(invocation.name - 2)] != nil
      let token = isInit ? invocation.name - 2 : invocation.name
      let name = source.word(token)
      if ADALNames.canonical(name) == "ADAuthenticationContext" { create(token, invocation) }
      if ADALNames.types[name] != nil { return }
    }
    guard let token = invocation.receiverEnd.flatMap(receivingClass) else { return }
    let type = ADALNames.canonical(source.word(token))
    let isContext = type == "ADAuthenticationContext"
    let starts = { invocation.selector.hasPrefix($0) }
    if isContext, starts("authenticationContextWith") || starts("init") {
      create(token, invocation)
    } else if type == "ADAuthenticationParameters", starts("parametersFrom") {
      take(token, .challenge)
    } else if isContext || type == "ADAuthenticationBroker",
      Self.brokerCalls.contains(source.word(invocation.name))
    {
      pass(token)
    }
  }

  static let brokerCalls: Set<String> = [
    "handleADALResponse", "handleBrokerResponse", "isResponseFromBroker",
    "responseFromInterruptedBrokerSession",
  ]

  private mutating func create(_ token: Int, _ invocation: Invocation) {
    take(
      token, .context,
      becomes: isSwift
        ? "`MSALPublicClientApplication(configuration:)`"
        : "`[MSALPublicClientApplication initWithConfiguration:error:]`")
    if let first = invocation.arguments.first,
      first.label.isEmpty || first.label.lowercased().hasSuffix("authority")
    {
      note(first, .authority)
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

  private mutating func readCacheUse(_ invocation: Invocation) {
    guard let receiver = invocation.receiverEnd else { return }
    let check: Check? =
      switch invocation.selector {
      case "removeAll": isStore(receiver) ? .cacheRemove : nil
      case _ where !isSwift && invocation.arguments.isEmpty: nil
      case "removeItem" where isSwift: isStore(receiver) ? .cacheRemove : nil
      case "removeItem":
        invocation.arguments.count == 2 && invocation.argument("error") != nil ? .cacheRemove : nil
      case "addOrUpdate": isStore(receiver) ? .cacheWrite : nil
      default: ADALNames.cacheCalls[invocation.selector]?.check
      }
    if let check { hit(check, invocation.name) }
  }

  /// A token that is put into the user defaults.
  private mutating func readSaving(_ invocation: Invocation) {
    let name = source.word(invocation.name)
    guard ["setObject", "set", "setValue"].contains(name),
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
