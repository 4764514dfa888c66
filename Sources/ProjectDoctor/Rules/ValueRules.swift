// SPDX-License-Identifier: MIT
import ADALMigration
import ProjectFiles

/// The rules for values: redirect URIs, authorities, resources, client ids.
extension Examination {
  mutating func readValues() {
    let bundleIDs = bundleIDs
    for value in redirectURIs { readRedirect(value, bundleIDs) }
    for value in values[.authority, default: []] { readAuthority(value) }
    for source in reading.adalSources {
      for index in source.tokens.indices {
        guard let literal = source.literal(index), literal.utf8.count > 20 else { continue }
        readTenant(source.placed(literal, index))
      }
    }
    for value in values[.resource, default: []]
    where value.value.hasSuffix("/") && WebAddress(written: value.value) != nil
      && Check.ofClosedService(in: value.value) == nil
    {
      hit(.resourceTrailingSlash, value.span)
    }
    readClients()
    for (check, span) in reading.scans.flatMap(\.closedServices) { hit(check, span) }
    for value in reading.listedValues[.resource, default: []] {
      if let check = Check.ofClosedService(in: value.value) { hit(check, value.span) }
    }
  }

  // Redirect URIs

  /// The bundle ids of the projects by the path of the project; nil where one of them is not known.
  private var bundleIDs: [String: Set<String>?] {
    var result: [String: Set<String>?] = [:]
    for project in projects {
      let ids = project.targets.filter(\.isApplication).flatMap {
        reading.settings(of: $0, in: project).map(\.bundleID)
      }
      result[project.path] = .some(ids.contains(nil) ? nil : Set(ids.compactMap { $0 }))
    }
    return result
  }

  private mutating func readRedirect(_ value: PlacedText, _ bundleIDs: [String: Set<String>?]) {
    guard value.value.isValue(of: .redirectURI) else { return }
    guard !value.value.lowercased().hasPrefix("urn:"),
      let address = WebAddress(written: value.value), !address.isHTTP, !address.host.isEmpty
    else { return hit(.redirectUnusable, value.span) }
    guard !address.scheme.hasPrefix("msauth."), address.scheme != "msauth" else { return }
    let owner = reading.owner(of: value.span.file)
    let lists = owner.map { [bundleIDs[$0] ?? nil] } ?? Array(bundleIDs.values)
    let known = Set(lists.compactMap { $0 }.joined())
    if known.contains(where: { $0.lowercased() == address.host }) {
      keptSchemes.insert(String(address.scheme))
      hit(.redirectADALForm, value.span)
    } else if !known.isEmpty, lists.allSatisfy({ $0 != nil }) {
      hit(.redirectBundleMismatch, value.span)
    }
  }

  // Authorities

  private mutating func readAuthority(_ value: PlacedText) {
    guard let address = WebAddress(written: value.value), address.isHTTP,
      address.host.contains(".")
    else { return }
    if doctor.closedHosts.contains(address.host) {
      hit(.authorityClosedCloud, value.span)
    } else if address.path == "/adfs" || address.path.hasPrefix("/adfs/") {
      hit(.authorityADFS, value.span)
    } else if isB2C(address) {
      hit(.authorityB2C, value.span)
    } else if !doctor.knownHosts.contains(address.host) {
      hit(.authorityUnknownHost, value.span)
    }
    readTenant(value)
  }

  private func isB2C(_ address: WebAddress) -> Bool {
    address.host.hasSuffix(".b2clogin.com") || address.hasPolicyInPath
      || (doctor.knownHosts.contains(address.host)
        && address.query.split(separator: "&").contains { $0.hasPrefix("p=") })
  }

  /// A string in a file that uses ADAL: a tenant by its domain, a cloud that is closed.
  private mutating func readTenant(_ value: PlacedText) {
    guard let address = WebAddress(written: value.value) else { return }
    if doctor.closedHosts.contains(address.host) { hit(.authorityClosedCloud, value.span) }
    let tenant = address.firstSegment
    guard doctor.knownHosts.contains(address.host), tenant.contains("."),
      !tenant.contains(where: { "$%".contains($0) }), !address.hasPolicyInPath
    else { return }
    hit(.authorityDomain, value.span)
  }

  // Clients

  private static let clientTypes: Set<String> = [
    "MSALPublicClientApplication", "MSALPublicClientApplicationConfig",
  ]

  private var newClientIDs: [PlacedText] {
    reading.msalSources.flatMap { source in
      SourceOutline(source).invocations.compactMap { invocation in
        let isSwift =
          Self.clientTypes.contains(source.word(invocation.name))
          && invocation.arguments.first?.label == "clientId"
        guard isSwift || invocation.selector == "initWithClientId",
          let value = invocation.arguments.first?.value
        else { return nil }
        return reading.constants.resolve(value, in: source)
      }
    }
  }

  private mutating func readClients() {
    let old = Set(
      values[.clientID, default: []].map { $0.value.lowercased() }.filter(Policy.isClientID))
    guard !old.isEmpty else { return }
    for value in newClientIDs
    where Policy.isClientID(value.value) && !old.contains(value.value.lowercased()) {
      hit(.clientChanged, value.span)
    }
  }
}

extension WebAddress {
  // Real addresses are shorter.
  private static let longest = 2048
  private static let schemeBytes = Set("abcdefghijklmnopqrstuvwxyz0123456789+-.".utf8)

  /// An address as apps write it, in lower case; nil for another text.
  init?(written text: String) {
    guard text.utf8.count <= Self.longest, let address = WebAddress(text.lowercased()),
      !address.scheme.isEmpty, address.scheme.utf8.allSatisfy(Self.schemeBytes.contains)
    else { return nil }
    self = address
  }

  /// Without a port.
  var host: String { String(hostAndNumber.host) }

  fileprivate var isHTTP: Bool { scheme == "http" || scheme == "https" }

  /// Whether the path is one of B2C's, which names a policy.
  fileprivate var hasPolicyInPath: Bool { path.hasPrefix("/tfp/") || path.hasPrefix("/te/") }
}

extension String {
  /// Whether it is a value of this kind, and no placeholder for one.
  func isValue(of kind: ValueKind) -> Bool {
    switch kind {
    case .clientID: Policy.isClientID(self)
    case .authority: WebAddress(written: self) != nil
    case .resource: WebAddress(written: self) != nil || Policy.isClientID(self)
    case .redirectURI:
      lowercased().hasPrefix("urn:ietf:wg:oauth:2.0:oob")
        || WebAddress(written: self) != nil && !["<", " ", "\\(", "%@"].contains(where: contains)
    case .keychainGroup, .savedUserID: true
    }
  }
}
