// SPDX-License-Identifier: MIT
import ADALMigration

// The calls of the façade for Objective-C to the product.

extension TokenCacheMigration.Policy {
  public init(json bytes: [UInt8]) throws { self.init() }
}
