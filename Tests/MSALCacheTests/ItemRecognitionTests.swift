// SPDX-License-Identifier: MIT
import KeychainItems
import Testing

@testable import MSALCache

/// The meaning of an item to MSAL after it has lost its type number: its payload tells, if enough of it is there.
@Suite struct ItemRecognitionTests {
  private enum Recognized: Equatable {
    case entry(MSALEntry.Kind?)
    case unreadable, none, other
  }

  private func recognized(
    _ payload: String, service: String = "any", type: Int? = nil
  ) -> Recognized {
    let item = KeychainItem(
      account: "u.t-login.windows.net", service: service, type: type, data: TokenSecret(payload))
    return switch MSALItem(item) {
    case .entry(let entry): .entry(entry.kind)
    case .unreadable: .unreadable
    case .accountMetadata, .other: .other
    case nil: .none
    }
  }

  private static let place = #""home_account_id": "u.t", "environment": "login.windows.net""#

  @Test("a token has a type and a secret")
  func tokens() {
    let type = #""credential_type": "RefreshToken""#
    #expect(
      recognized(#"{\#(type), "secret": "s", "client_id": "c", \#(Self.place)}"#)
        == .entry(.refreshToken))
    #expect(recognized(#"{\#(type), "secret": "s"}"#) == .unreadable)
    for payload in [
      "{\(type)}", #"{"credential_type": 2002, "secret": "s"}"#, #"{"secret": "s"}"#,
      #"["RefreshToken"]"#, "RefreshToken", "",
    ] {
      #expect(recognized(payload) == .none)
    }
  }

  @Test("an account has the type of its authority, and a home account id")
  func accounts() {
    let type = #""authority_type": "MSSTS""#
    #expect(recognized(#"{\#(type), "realm": "t", \#(Self.place)}"#) == .entry(.account))
    #expect(recognized(#"{\#(type), "home_account_id": "u.t"}"#) == .unreadable)
    for payload in [
      "{\(type)}", #"{"authority_type": 1, "home_account_id": "u.t"}"#,
      #"{"home_account_id": "u.t"}"#,
    ] {
      #expect(recognized(payload) == .none)
    }
  }

  @Test("app metadata is recognized by its service, and names a client")
  func appMetadata() {
    let payload = #"{"client_id": "c", "environment": "login.windows.net"}"#
    #expect(recognized(payload, service: "appmetadata-c") == .entry(.appMetadata))
    #expect(recognized(payload) == .none)
    #expect(
      recognized(#"{"environment": "login.windows.net"}"#, service: "appmetadata-c") == .none)
  }

  @Test("a type number that is not MSAL's says nothing, and another one of MSAL's everything")
  func otherTypes() {
    let payload = #"{"client_id": "c", "environment": "login.windows.net"}"#
    #expect(recognized(payload, service: "appmetadata-c", type: 1) == .entry(.appMetadata))
    #expect(
      recognized(payload, service: "appmetadata-c", type: ItemType.accountMetadata)
        != .entry(
          .appMetadata))
  }
}
