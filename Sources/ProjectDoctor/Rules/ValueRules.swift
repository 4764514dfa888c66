// SPDX-License-Identifier: MIT
import ADALMigration
import ProjectFiles

/// The hosts of authorities that are known.
package struct AuthorityHosts: Sendable, Hashable {
  /// Hosts of clouds that are there.
  package var known: Set<String>
  /// Hosts of clouds that are closed.
  package var closed: Set<String>

  package init(known: Set<String>, closed: Set<String>) {
    self.known = known
    self.closed = closed
  }
}

/// The rules for values: redirect URIs, authorities, resources, client ids.
struct ValueRules {
  let hosts: AuthorityHosts
  /// The bundle ids of the projects by the path of the project; nil where one of them is not known.
  let bundleIDs: [String: Set<String>?]
  let reading: ProjectReading
  private(set) var hits: [Hit] = []
  /// Schemes of redirect URIs in ADAL's form.
  private(set) var keptSchemes: Set<String> = []

  private mutating func hit(_ check: Check, _ value: PlacedText) {
    hits.append(Hit(check, value.file, value.span))
  }

  // Redirect URIs

  mutating func readRedirect(_ value: PlacedText) {
    guard value.value.isRedirectURIValue else { return }
    let lowered = value.value.lowercased()
    guard !lowered.hasPrefix("urn:"), let address = WrittenAddress(value.value),
      !["http", "https"].contains(address.scheme), !address.host.isEmpty
    else {
      hit(.redirectUnusable, value)
      return
    }
    guard !address.scheme.hasPrefix("msauth."), address.scheme != "msauth" else { return }
    let owner = reading.owner(of: value.file)
    let lists = owner.map { [bundleIDs[$0] ?? nil] } ?? Array(bundleIDs.values)
    let known = lists.compactMap { $0 }.reduce(into: Set<String>()) { $0.formUnion($1) }
    if known.contains(where: { $0.lowercased() == address.host }) {
      keptSchemes.insert(address.scheme)
      hit(.redirectADALForm, value)
    } else if !known.isEmpty, lists.allSatisfy({ $0 != nil }) {
      hit(.redirectBundleMismatch, value)
    }
  }

  // Authorities

  /// What a context gets.
  mutating func readAuthority(_ value: PlacedText) {
    guard let address = WrittenAddress(value.value), ["http", "https"].contains(address.scheme),
      address.host.contains(".")
    else { return }
    let path = address.path.lowercased()
    if hosts.closed.contains(address.host) {
      hit(.authorityClosedCloud, value)
    } else if path == "/adfs" || path.hasPrefix("/adfs/") {
      hit(.authorityADFS, value)
    } else if isB2C(address, path) {
      hit(.authorityB2C, value)
    } else if !hosts.known.contains(address.host) {
      hit(.authorityUnknownHost, value)
    }
    readTenant(value)
  }

  private func isB2C(_ address: WrittenAddress, _ path: String) -> Bool {
    address.host.hasSuffix(".b2clogin.com") || path.hasPrefix("/tfp/") || path.hasPrefix("/te/")
      || (hosts.known.contains(address.host)
        && address.query.split(separator: "&").contains { $0.lowercased().hasPrefix("p=") })
  }

  /// A string in a file that uses ADAL: a tenant by its domain, a cloud that is closed.
  mutating func readTenant(_ value: PlacedText) {
    guard let address = WrittenAddress(value.value) else { return }
    if hosts.closed.contains(address.host) { hit(.authorityClosedCloud, value) }
    guard hosts.known.contains(address.host), address.tenant.contains("."),
      !address.tenant.contains("$"), !address.tenant.contains("%"),
      !address.path.lowercased().hasPrefix("/tfp/"), !address.path.lowercased().hasPrefix("/te/")
    else { return }
    hit(.authorityDomain, value)
  }

  // Resources and clients

  mutating func readResource(_ value: PlacedText) {
    guard value.value.hasSuffix("/"), WrittenAddress(value.value) != nil,
      Check.ofClosedService(in: value.value) == nil
    else { return }
    hit(.resourceTrailingSlash, value)
  }

  mutating func readClients(adal: [PlacedText], msal: [PlacedText]) {
    let old = Set(adal.map { $0.value.lowercased() }.filter(Policy.isClientID))
    guard !old.isEmpty else { return }
    for value in msal
    where Policy.isClientID(value.value) && !old.contains(value.value.lowercased()) {
      hit(.clientChanged, value)
    }
  }
}

extension String {
  /// Whether it is a redirect URI, which has a scheme, and not a placeholder.
  var isRedirectURIValue: Bool {
    if lowercased().hasPrefix("urn:ietf:wg:oauth:2.0:oob") { return true }
    return WrittenAddress(self) != nil && !contains(" ") && !contains("<") && !contains("\\(")
      && !contains("%@")
  }
}
