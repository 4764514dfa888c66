// SPDX-License-Identifier: MIT
import ProjectFiles

/// The rules for a source file that uses ADAL: what each name and call becomes.
struct SourceRules {
  let path: String
  let source: SourceText
  let outline: SourceOutline
  let declarations: Declarations
  let constants: Constants
  var hits: [Hit] = []
  var values = GivenValues()
  /// Names of types that another rule speaks of.
  private var taken: Set<Int> = []

  init(_ source: SourceText, path: String, constants: Constants) {
    self.path = path
    self.source = source
    self.constants = constants
    outline = SourceOutline(source)
    declarations = Declarations(outline)
  }

  var isSwift: Bool { source.language == .swift }

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
        check, path, source.span(token), symbol: source.word(token), severity: severity,
        message: message, remedy: remedy, becomes: becomes))
  }

  mutating func take(_ token: Int) { taken.insert(token) }

  // Imports

  private mutating func readHeader(_ index: Int) {
    switch ADALNames.header(source.header(index) ?? "") {
    case .published: hit(.importADAL, index, becomes: "`#import <MSAL/MSAL.h>`")
    case .hidden: hit(.importInternal, index)
    case .dependencyResolver, nil: break
    }
  }

  // Names

  private mutating func readName(_ index: Int) {
    guard let name = source.identifier(index) else { return }
    if name.hasPrefix("AD") { readADALName(name, index) }
    if let receiver = outline.receiver(ofMember: index) { readMember(name, index, receiver) }
    if ADALNames.userIdentifierTypes.contains(name) { hit(.userIdentifier, index) }
  }

  private mutating func readADALName(_ name: String, _ index: Int) {
    if ADALNames.modules.contains(name) {
      if source.isImport(index) {
        hit(.importADAL, index, becomes: isSwift ? "`import MSAL`" : "`@import MSAL;`")
      }
    } else if ADALNames.results.contains(name) {
      hit(
        .result, index,
        becomes: name == "AD_USER_CANCELLED"
          ? "`MSALErrorUserCanceled`" : "`MSALResult` or `NSError`")
    } else if ADALNames.prompts.contains(name) {
      hit(
        .prompt, index, severity: name == "AD_PROMPT_REFRESH_SESSION" ? .warning : .note,
        becomes: Counterparts.prompt(name))
    } else if ADALNames.credentials.contains(name) {
      let isEmbedded = name == "AD_CREDENTIALS_EMBEDDED"
      hit(
        .credentialsType, index, severity: isEmbedded ? .warning : .note,
        becomes: isEmbedded ? "`webviewType` `.wkWebView`" : "nothing; the redirect URI decides")
    } else if ADALNames.assertions.contains(name) {
      hit(.assertion, index)
    } else if ADALNames.errorCodes.contains(name) || ADALNames.domains.contains(name) {
      hit(.errorCode, index, becomes: Counterparts.error(name))
    } else if ADALNames.notifications.contains(name) {
      hit(.webAuth, index, becomes: "`MSALWebAuth…Notification`")
    } else if ADALNames.logLevels.contains(name) {
      hit(.logger, index, becomes: "`MSALGlobalConfig.loggerConfig.logLevel`")
    } else if name == "ADProfileInfo" {
      hit(.b2cFork, index)
    } else if ADALNames.types.contains(name) {
      readClass(ADALNames.canonical(name), index)
    }
  }

  /// Types that rules of their own speak of.
  private mutating func readClass(_ name: String, _ index: Int) {
    switch name {
    case "ADLogger", "ADTelemetry", "ADDispatcher", "ADAL_LOG_LEVEL":
      take(index)
      hit(.logger, index, becomes: "`MSALGlobalConfig.loggerConfig`, `telemetryConfig`")
    case "ADWebAuthController":
      take(index)
      hit(.webAuth, index, becomes: "`cancelCurrentWebAuthSession` of the application")
    case "ADTokenCacheDelegate":
      take(index)
      hit(.macArchive, index)
    case "ADTokenCacheStoring", "ADTokenCacheDataSource":
      if source.isAdoption(index) {
        take(index)
        hit(.customStore, index)
      }
    case "ADErrorCode":
      guard isSwift, source.isPunctuation(index + 1, ".") else { return }
      take(index)
      let code = source.identifier(index + 2) ?? ""
      if !ADALNames.errorCodes.contains(code) {
        hit(.errorCode, index + 2, becomes: Counterparts.error(code))
      }
    case "ADUserIdentifier":
      let isUsed =
        isSwift
        ? source.isPunctuation(index + 1, "(") || source.isPunctuation(index + 1, ".")
        : source.isPunctuation(index - 1, "[")
      if isUsed {
        take(index)
        hit(.userIdentifier, index)
      }
    case "ADKeychainTokenCache", "ADKeychainTokenCacheStore", "ADTokenCache": readCacheClass(index)
    default: break
    }
  }

  private mutating func readCacheClass(_ index: Int) {
    if isSwift {
      let isMember =
        source.isPunctuation(index + 1, ".")
        && !["self", "Type", "Protocol"].contains(source.word(index + 2))
      guard isMember || source.isPunctuation(index + 1, "(") else { return }
    } else {
      guard source.isPunctuation(index - 1, "["), source.word(index + 1) != "class" else { return }
    }
    take(index)
    hit(.cache, index)
  }

  /// A type that no other rule took.
  private mutating func readType(_ index: Int) {
    guard !taken.contains(index), let name = source.identifier(index),
      ADALNames.types.contains(name), !source.isImport(index),
      !(source.identifier(index - 1) != nil && source.isPunctuation(index - 1, ".")),
      !(source.identifier(index - 2) == "ADAL" && isImportOfMember(index))
    else { return }
    // The one object of the settings is nothing by itself; what is asked of it is.
    let isShared =
      source.word(index + 1) == "sharedInstance"
      || (source.isPunctuation(index + 1, ".") && source.word(index + 2) == "sharedInstance")
    if ADALNames.canonical(name) == "ADAuthenticationSettings", isShared { return }
    let counterpart = Counterparts.type(name)
    hit(.type, index, becomes: counterpart)
  }

  private func isImportOfMember(_ index: Int) -> Bool {
    source.isPunctuation(index - 1, ".") && source.isImport(index - 2)
  }
}
