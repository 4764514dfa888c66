// SPDX-License-Identifier: MIT
import MSALCache

/// One user name in one cloud, folded; in one tenant of it, where that matters.
struct UserNameKey: Sendable, Hashable {
  let cloud: ExactText
  let tenant: ExactText?
  let name: String

  /// - Parameter name: a user name as it is spelled.
  init(cloud: String, tenant: String? = nil, name: String) {
    self.cloud = ExactText(cloud)
    self.tenant = tenant.map { ExactText($0) }
    self.name = name.foldedUserName
  }
}
