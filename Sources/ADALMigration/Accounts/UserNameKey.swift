// SPDX-License-Identifier: MIT

/// One user name in one cloud, as rows have it; in one tenant of it, where that matters.
struct UserNameKey: Sendable, Hashable {
  let cloud: String
  var tenant: String?
  let name: String
}
