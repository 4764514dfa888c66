// SPDX-License-Identifier: MIT

/// The languages whose tokens are read.
package enum SourceLanguage: Sendable, Hashable {
  /// Swift of any version.
  case swift
  /// C, Objective-C, C++ and Objective-C++.
  case c
}

/// A piece of source code. Comments and what `#if 0` takes out are none.
package struct Token: Sendable {
  /// What a token can be.
  package enum Kind: UInt8, Sendable {
    /// A name or a keyword; without the backquotes of Swift.
    case identifier
    /// A string without interpolation, with its quotes and what stands before them (`@`, `#`).
    case string
    /// A piece of a string that has interpolations.
    case stringPiece
    case number
    /// One character.
    case punctuation
    /// What `#import` or `#include` names, with its quotes or angle brackets.
    case header
    /// The name that `#define` defines.
    case definition
  }

  package var kind: Kind
  /// Whether it is the first of its line.
  package var startsLine: Bool
  private var lower: UInt32
  private var upper: UInt32

  init(_ kind: Kind, _ range: Range<Int>, startsLine: Bool) {
    self.kind = kind
    self.startsLine = startsLine
    lower = UInt32(clamping: range.lowerBound)
    upper = UInt32(clamping: range.upperBound)
  }

  /// The bytes that it takes.
  package var range: Range<Int> { Int(lower)..<Int(upper) }
}

/// A comment that is addressed to us.
package struct Remark: Sendable, Hashable {
  /// What it says after `adal2msal:`, without the end of the comment.
  package var words: String
  /// The line where it begins.
  package var line: Int
  /// Whether nothing but it is on that line.
  package var isAlone: Bool
  package var span: TextSpan
}
