// SPDX-License-Identifier: MIT
import ProjectFiles

/// The rules for a source file that uses ADAL, with the replacement of each name and call.
struct SourceRules {
  let source: SourceText
  let outline: SourceOutline
  let declarations: Declarations
  let constants: Constants
  var hits: [Hit] = []
  var values: GivenValues = [:]
  /// The keychain groups that the file gives ADAL; nil for the app's own.
  var groups: [String?] = []
  /// Names of types that another rule speaks of.
  private var taken: Set<Int> = []

  init(_ source: SourceText, constants: Constants) {
    self.source = source
    self.constants = constants
    outline = SourceOutline(source)
    declarations = Declarations(outline)
  }

  var isSwift: Bool { source.isSwift }

  mutating func run() {
    for invocation in outline.invocations { readInvocation(invocation) }
    for index in source.tokens.indices {
      switch source.tokens[index].kind {
      case .header: readHeader(index)
      case .identifier: readName(index)
      default: break
      }
    }
    for index in source.tokens.indices where source.tokens[index].kind == .identifier {
      readType(index)
    }
  }

  mutating func hit(
    _ check: Check, _ token: Int, severity: Severity? = nil, message: String? = nil,
    remedy: String? = nil, becomes: String? = nil
  ) {
    hits.append(
      Hit(
        check, Occurrence(source.span(token), symbol: source.word(token)), severity: severity,
        message: message, remedy: remedy, becomes: becomes))
  }

  /// A hit at the name of a type that no other rule then speaks of.
  mutating func take(_ token: Int, _ check: Check, becomes: String? = nil) {
    taken.insert(token)
    hit(check, token, becomes: becomes)
  }

  /// A type that no rule speaks of.
  mutating func pass(_ token: Int) { taken.insert(token) }

  // Imports

  private mutating func readHeader(_ index: Int) {
    guard let check = source.header(index).flatMap(ADALNames.check), check != .sdkWithADAL else {
      return
    }
    hit(check, index, becomes: check == .importADAL ? "`#import <MSAL/MSAL.h>`" : nil)
  }

  // Names

  private mutating func readName(_ index: Int) {
    guard let name = source.identifier(index) else { return }
    if name.hasPrefix("AD") { readADALName(name, index) }
    if let receiver = outline.receiver(ofMember: index) { readMember(name, index, receiver) }
    // The strictness of ADAL about a user identifier.
    if ["UniqueId", "OptionalDisplayableId", "RequiredDisplayableId"].contains(name) {
      hit(.userIdentifier, index)
    }
  }

  private mutating func readADALName(_ name: String, _ index: Int) {
    if ADALNames.modules.contains(name) {
      if source.isImport(index) {
        hit(.importADAL, index, becomes: isSwift ? "`import MSAL`" : "`@import MSAL;`")
      }
    } else if let constant = ADALNames.constants[name] {
      hit(constant.check, index, severity: constant.severity, becomes: constant.becomes)
    } else if name == "ADProfileInfo" {
      hit(.b2cFork, index)
    } else if ADALNames.types[name] != nil {
      readClass(ADALNames.canonical(name), index)
    }
  }

  /// Types that rules of their own speak of.
  private mutating func readClass(_ name: String, _ index: Int) {
    switch name {
    case "ADLogger", "ADTelemetry", "ADDispatcher", "ADAL_LOG_LEVEL":
      take(index, .logger, becomes: "`MSALGlobalConfig.loggerConfig`, `telemetryConfig`")
    case "ADWebAuthController":
      take(index, .webAuth, becomes: "`cancelCurrentWebAuthSession` of the application")
    case "ADTokenCacheDelegate": take(index, .macArchive)
    case "ADTokenCacheStoring", "ADTokenCacheDataSource":
      if source.isAdoption(index) { take(index, .customStore) }
    case "ADErrorCode":
      guard isSwift, source.isPunctuation(index + 1, ".") else { return }
      pass(index)
      let code = source.identifier(index + 2) ?? ""
      if ADALNames.constants[code] == nil {
        hit(.errorCode, index + 2, becomes: ADALNames.error(code))
      }
    case "ADUserIdentifier":
      let isUsed =
        isSwift
        ? source.isPunctuation(index + 1, "(.") : source.isPunctuation(index - 1, "[")
      if isUsed { take(index, .userIdentifier) }
    case "ADKeychainTokenCache", "ADKeychainTokenCacheStore", "ADTokenCache":
      let isMember =
        source.isPunctuation(index + 1, ".")
        && !["self", "Type", "Protocol"].contains(source.word(index + 2))
      let isUsed =
        isSwift
        ? isMember || source.isPunctuation(index + 1, "(")
        : source.isPunctuation(index - 1, "[") && source.word(index + 1) != "class"
      if isUsed { take(index, .cache) }
    default: break
    }
  }

  /// A type that no other rule took.
  private mutating func readType(_ index: Int) {
    guard !taken.contains(index), let name = source.identifier(index),
      let counterpart = ADALNames.types[name], !source.isImport(index),
      // `ADAL.ADErrorCode`, and the like of it in an import
      !(source.identifier(index - 1) != nil && source.isPunctuation(index - 1, ".")),
      !(source.identifier(index - 2) == "ADAL" && source.isPunctuation(index - 1, ".")
        && source.isImport(index - 2))
    else { return }
    // The shared object of the settings alone needs no change. Its members do.
    let isShared =
      source.word(index + 1) == "sharedInstance"
      || (source.isPunctuation(index + 1, ".") && source.word(index + 2) == "sharedInstance")
    if ADALNames.canonical(name) == "ADAuthenticationSettings", isShared { return }
    hit(.type, index, becomes: counterpart)
  }
}
