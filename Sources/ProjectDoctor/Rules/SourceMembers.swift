// SPDX-License-Identifier: MIT
import ProjectFiles

/// The rules for members, and for the keychain group.
extension SourceRules {
  /// Rules for values that a call can also set.
  private static let settable: Set<Check> = [.settings, .webView, .parentController, .macArchive]

  mutating func readMember(_ name: String, _ index: Int, _ receiver: Int) {
    if let member = ADALNames.members[name] {
      if isAsked(receiver, member.owner) {
        hit(member.check, index, severity: member.severity, becomes: member.becomes)
      }
    } else if ["userId", "uniqueId", "userObjectId", "homeAccountId"].contains(name) {
      if isUser(receiver) { readIdentity(name, index) }
    } else if Self.brokerCalls.contains(name) {
      hit(
        .brokerResponse, index,
        becomes: isSwift
          ? "`MSALPublicClientApplication.handleMSALResponse(_:sourceApplication:)`"
          : "`handleMSALResponse:sourceApplication:`")
    } else if ["sharedGroup", "defaultKeychainGroup", "sharedCacheKeychainGroup"].contains(name),
      // `a.sharedGroup = b`, and not a comparison.
      source.isPunctuation(index + 1, "="), !source.isPunctuation(index + 2, "=")
    {
      setGroup(index, (index + 2)..<max(index + 2, statement(around: index).upperBound))
    }
  }

  /// `setName:`, for a property that is ADAL's.
  mutating func readSetter(_ invocation: Invocation) {
    guard invocation.selector.hasPrefix("set") else { return }
    let name = invocation.selector.dropFirst(3)
    guard let member = ADALNames.members[name.prefix(1).lowercased() + name.dropFirst()],
      Self.settable.contains(member.check), isAsked(invocation.receiverEnd, member.owner)
    else { return }
    hit(member.check, invocation.name, becomes: member.becomes)
  }

  private func isAsked(_ receiver: Int?, _ owner: ADALNames.Counterpart.Owner?) -> Bool {
    guard let owner else { return true }
    guard let receiver else { return false }
    return switch owner {
    case .user: isUser(receiver)
    case .context: isContext(receiver)
    case .item:
      ends(
        receiver, in: ["tokenCacheItem", "tokenCacheStoreItem"],
        orOf: ["ADTokenCacheItem", "ADTokenCacheStoreItem"])
    }
  }

  private mutating func readIdentity(_ name: String, _ index: Int) {
    let isSaved = isSaved(index)
    hit(
      .userID, index, severity: isSaved ? .warning : .note,
      message: isSaved ? "the app saves ADAL's user name" : nil,
      becomes: "`account.identifier`")
    if isSaved { values[.savedUserID, default: []].append(source.placed(name, index)) }
  }

  // Keychain groups

  private static let groupSetters: Set<String> = [
    "setDefaultKeychainGroup", "setSharedGroup", "setSharedCacheKeychainGroup",
    "keychainCacheForGroup", "initWithGroup",
  ]

  mutating func readGroup(_ invocation: Invocation) {
    let first = invocation.arguments.first
    if Self.groupSetters.contains(invocation.selector), let first {
      setGroup(invocation.name, first.value)
    } else if isSwift, let first, ["group", "forGroup"].contains(first.label),
      // `ADKeychainTokenCache(group:)`
      ADALNames.canonical(source.word(invocation.name)).hasPrefix("ADKeychainTokenCache")
    {
      setGroup(first.labelToken ?? invocation.name, first.value)
    }
    if let argument = invocation.argument("sharedGroup"), let label = argument.labelToken {
      setGroup(label, argument.value)
    }
  }

  private mutating func setGroup(_ token: Int, _ value: Range<Int>) {
    if isNil(value) {
      hit(.groupPrivate, token)
      groups.append(nil)
    } else if let group = resolve(value) {
      groups.append(group.value)
      values[.keychainGroup, default: []].append(group)
      guard group.value.groupName != Platform.iOS.group else { return }
      hit(
        .groupCustom, token,
        message: "ADAL's rows are in the keychain group `\(group.value.shownGroup)`",
        remedy: "set `cacheConfig.keychainSharingGroup` to it, or write to MSAL's group")
    }
  }
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
