// SPDX-License-Identifier: MIT
import HostileInput

/// JSON that is harder to read than it is long.
enum TextBombs {
  /// How often something is repeated. Reading takes twenty times as long where it is not optimised.
  #if DEBUG
    private static let many = 20_000
  #else
    private static let many = 1_000_000
  #endif

  /// The format as which the text is read.
  private static let heads: [HostileInput: (head: String, tail: String)] = [
    .document: (#"{"AccessToken": {}, "x": "#, "}"),
    .items: (#"[{"acct": "a", "x": "#, "}]"),
  ]

  /// Values for a key that nobody knows, by name.
  private static let values: [String: @Sendable () -> String] = [
    "many open arrays": { repeated("[", many) },
    "many arrays": { repeated("[", many) + repeated("]", many) },
    "many open objects": { repeated(#"{"a":"#, many) },
    "a number of many digits": { "1" + repeated("7", many) },
    "a fraction of many digits": { "0." + repeated("3", many) },
    "an exponent of many digits": { "1e" + repeated("9", many) },
    "many zeros": { "[" + repeated("0,", many) + "0]" },
    "empty arrays": { "[" + repeated("[],", many) + "0]" },
    "escapes": { "\"" + repeated(#"\n"#, many) + "\"" },
    "long escapes": { "\"" + repeated(#"\u0041"#, many) + "\"" },
    "surrogate pairs": { "\"" + repeated(#"\ud83d\ude00"#, many) + "\"" },
    "marks on one letter": { "\"e" + repeated("\u{301}", many) + "\"" },
    "keys": { "{" + (0..<many).map { "\"k\($0)\":0," }.joined() + #""k":0}"# },
    "one key": { "{" + repeated(#""k":0,"#, many) + #""k":0}"# },
  ]

  /// Each value in each text, by name.
  static let all: [String: (target: HostileInput, make: @Sendable () -> [UInt8])] = {
    var all: [String: (HostileInput, @Sendable () -> [UInt8])] = [
      "items: many empty ones": (
        .items, { Array(("[" + repeated("{},", many) + "{}]").utf8) }
      ),
      "items: many short ones": (
        .items, { Array(("[" + repeated(#"{"type":1},"#, many) + "{}]").utf8) }
      ),
      "document: many scopes": (
        .document, { token(target: repeated("a ", many)) }
      ),
      "document: capital marks": (
        .document, { token(target: "E" + repeated("\u{345}", many)) }
      ),
      "items: a dump of many items": (
        .items,
        {
          Array(
            repeated("keychain: \"\"\nclass: \"genp\"\n    \"acct\"<blob>=\n", many / 4).utf8)
        }
      ),
      "items: a dump of much data": (
        .items, { Array(("keychain: \"\"\ndata:\n0x" + repeated("0a", many) + " \n").utf8) }
      ),
      "items: a dump of many lines": (
        .items, { Array(("keychain: \"" + repeated("\n", many)).utf8) }
      ),
      "unified: many dots": (.unified, { Array(repeated(".", many).utf8) }),
      "document: entries": (.document, entries),
    ]
    for (target, text) in heads {
      for (name, value) in values {
        all["\(target): \(name)"] = (
          target, { Array((text.head + value() + text.tail).utf8) }
        )
      }
    }
    return all
  }()

  private static func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  private static func token(target: String, key: String = "k") -> [UInt8] {
    Array("{\"AccessToken\": {\(entry(target: target, key: key))}}".utf8)
  }

  private static func entry(target: String, key: String) -> String {
    """
    "\(key)": {"home_account_id": "u.t", "environment": "login.microsoftonline.com", \
    "credential_type": "AccessToken", "client_id": "c", "secret": "s", "realm": "t", \
    "target": "\(target)", "expires_on": "1"}
    """
  }

  @Sendable private static func entries() -> [UInt8] {
    let all = (0..<many / 50).map { #""k\#($0)": {"client_id": "\#($0)", "secret": "s"}"# }
    return Array("{\"RefreshToken\": {\(all.joined(separator: ","))}}".utf8)
  }
}
