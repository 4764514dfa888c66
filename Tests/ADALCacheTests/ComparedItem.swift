// SPDX-License-Identifier: MIT
import ADALCache

// Only tests compare whole items.
extension LegacyItem: Equatable {
  package static func == (a: LegacyItem, b: LegacyItem) -> Bool {
    switch (a, b) {
    case (.token(let a), .token(let b)): a == b
    case (.unreadable(let a), .unreadable(let b)): a == b
    case (.cache(let a), .cache(let b)): a.tokens == b.tokens && a.unreadable == b.unreadable
    case (.foreign, .foreign): true
    default: false
    }
  }
}
