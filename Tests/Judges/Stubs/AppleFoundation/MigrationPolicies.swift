// SPDX-License-Identifier: MIT
import ADALMigration

// What the façade for Objective-C calls of the product.

extension TokenCacheMigration.Policy {
  public init(json bytes: [UInt8]) throws { self.init() }
}
