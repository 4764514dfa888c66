// SPDX-License-Identifier: MIT
import ProjectFiles

/// The facts that one scan of a source file finds, for any file of the project.
struct SourceScan: Sendable {
  var path: String
  var hasADAL = false
  /// Whether it imports MSAL or names its application.
  var hasMSAL = false
  var namesApplication = false
  var versions: Set<String> = []
  /// Tokens that name the resolver of the Office 365 SDK, with their names.
  var resolvers: [TextSpan] = []
  /// Strings with an address of a service that is closed.
  var closedServices: [(check: Check, span: TextSpan)] = []
  /// Declarations that adopt a delegate's protocol.
  var appDelegates: [TextSpan] = []
  var sceneDelegates: [TextSpan] = []
  var handlesResponses = false
  var opensURLContexts = false

  init(_ source: SourceText) {
    path = source.path
    for index in source.tokens.indices {
      switch source.tokens[index].kind {
      case .identifier: readName(index, source)
      case .header: readHeader(index, source)
      case .string, .stringPiece: readString(index, source)
      case .number, .punctuation, .definition: break
      }
    }
  }

  /// Bytes that names of interest begin with, so that most names are never made into strings.
  private static let beginnings = Set("AMUhoa".utf8)

  private mutating func readName(_ index: Int, _ source: SourceText) {
    let range = source.tokens[index].range
    guard Self.beginnings.contains(source.text.bytes[range.lowerBound]), range.count >= 4 else {
      return
    }
    let name = source.word(index)
    switch name {
    case "MSALPublicClientApplication":
      hasMSAL = true
      namesApplication = true
    case "MSAL": if source.isImport(index) { hasMSAL = true }
    case "UIApplicationDelegate":
      if source.isAdoption(index) { appDelegates.append(source.span(index)) }
    case "UIWindowSceneDelegate":
      if source.isAdoption(index) { sceneDelegates.append(source.span(index)) }
    case "openURLContexts", "onOpenURL": opensURLContexts = true
    case "handleMSALResponse", "handleADALResponse", "handleBrokerResponse":
      handlesResponses = true
    default: if name.hasPrefix("AD") { readADALName(name, index, source) }
    }
  }

  private mutating func readADALName(_ name: String, _ index: Int, _ source: SourceText) {
    if name == "ADALDependencyResolver" {
      resolvers.append(source.span(index))
    } else if ADALNames.modules.contains(name) {
      if source.isImport(index) { hasADAL = true }
    } else if ADALNames.types[name] != nil || ADALNames.constants[name] != nil {
      hasADAL = true
      if let version = ADALNames.version(of: name) { versions.insert(version) }
    }
  }

  private mutating func readHeader(_ index: Int, _ source: SourceText) {
    let header = source.header(index) ?? ""
    let check = ADALNames.check(ofHeader: header)
    if check == .sdkWithADAL { resolvers.append(source.span(index)) }
    if check == .importADAL || check == .importInternal { hasADAL = true }
    if check == nil, header.hasPrefix("MSAL/") || header == "MSAL.h" { hasMSAL = true }
  }

  private mutating func readString(_ index: Int, _ source: SourceText) {
    let range = source.tokens[index].range
    // The shortest address is longer than most strings.
    guard range.count >= 20 else { return }
    let word = source.text.string(range.lowerBound..<min(range.upperBound, range.lowerBound + 256))
    guard let check = Check.ofClosedService(in: word) else { return }
    closedServices.append((check, source.span(index)))
  }
}

extension Check {
  /// The rule for a text with the address of a service that answers no more, or nil.
  static func ofClosedService(in text: some StringProtocol) -> Check? {
    let text = text.lowercased()
    let bytes = Array(text.utf8)[...]
    if let end = bytes.end(of: Array("://graph.windows.net".utf8)) {
      // The host ends there, too.
      let next = String(decoding: bytes[end...], as: UTF8.self).first
      let goesOn = next.map { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" } ?? false
      if !goesOn { return .resourceAADGraph }
    }
    return text.contains("https://api.office.com/discovery") ? .resourceDiscovery : nil
  }
}

extension SourceText {
  /// Whether a Swift `import` or an `@import` names the module.
  func isImport(_ index: Int) -> Bool {
    if identifier(index - 1) == "import" { return true }
    // `import class ADAL.ADAuthenticationContext`
    let kinds: Set<String> = ["class", "struct", "enum", "func", "protocol", "typealias", "var"]
    return identifier(index - 2) == "import" && kinds.contains(word(index - 1))
  }

  /// Whether a class or an extension adopts a name.
  func isAdoption(_ index: Int) -> Bool {
    // A list of protocols is not longer than this.
    for back in stride(from: index - 1, through: max(0, index - 64), by: -1) {
      if let name = identifier(back) {
        switch name {
        case "interface": return isPunctuation(back - 1, "@")
        case "protocol" where !isSwift: return false
        case "class", "extension", "actor", "struct":
          return isSwift && identifier(back - 1) != "import"
        case "let", "var", "func", "as", "is", "return", "in", "where": return false
        default: continue
        }
      }
      guard isPunctuation(back, ",:<>.()&@") else { return false }
    }
    return false
  }
}
