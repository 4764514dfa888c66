// SPDX-License-Identifier: MIT
import KeychainItems
import MSALCache
import SyntheticCaches
import Testing

@testable import ADALMigration

/// MSAL's key of a record, and its place in a target.
@Suite struct EntryKeyTests {
  private let ann = World.ann

  private func access(_ target: String?, _ change: (inout MSALEntry) -> Void = { _ in })
    -> MSALEntry
  {
    ann.credential(.accessToken, "at") {
      $0.realm = World.contoso
      $0.target = target
      change(&$0)
    }
  }

  @Test func aliasHostsCaseAndSpaceMakeNoDifference() {
    let token = ann.credential(.refreshToken, "rt")
    for host in ["login.microsoftonline.com", " LOGIN.Windows.Net ", "sts.windows.net"] {
      let other = ann.credential(.refreshToken, "another", client: " \(World.client.uppercased())")
      {
        $0.environment = host
        $0.homeAccountID = ann.home.uppercased()
      }
      #expect(other.keys == token.keys)
    }
    let china = ann.credential(.refreshToken, "rt", host: "login.chinacloudapi.cn")
    #expect(china.keys != token.keys)
  }

  @Test func aRefreshTokenIsOfAClientOrOfAFamilyAndOfNoRealm() {
    let token = ann.credential(.refreshToken, "rt")
    let ofRealm = ann.credential(.refreshToken, "rt") { $0.realm = World.contoso }
    let family = ann.credential(.refreshToken, "rt") { $0.familyID = "1" }
    let familyOfOther = ann.credential(.refreshToken, "rt", client: World.otherClient) {
      $0.familyID = "1"
    }
    #expect(ofRealm.keys == token.keys)
    #expect(family.keys == familyOfOther.keys && family.keys != token.keys)
    #expect(family.keys.map(\.kind) == [.familyRefreshToken])
    #expect(family.keys.map(\.owner) == ["1"])
  }

  @Test func anAccessTokenHasOneKeyForEachScope() {
    #expect(access("User.Read Mail.Read").keys.map(\.target) == ["user.read", "mail.read"])
    #expect(access(nil).keys.map(\.target) == [""])
    #expect(access("Mail.Read").keys == [access("User.Read Mail.Read").keys[1]])
  }

  @Test func tenantsAndApplicationsTellAccessTokensApart() {
    let keys = [
      access("a"), access("a") { $0.realm = World.fabrikam },
      access("a") { $0.applicationIdentifier = "app" },
    ].flatMap(\.keys)
    #expect(Set(keys).count == 3)
  }

  @Test func kindsAreNeverOneKey() {
    let kinds: [MSALEntry.Kind] = [.refreshToken, .idToken, .accessToken, .primaryRefreshToken]
    let tokens = kinds.map { kind in ann.credential(kind, "x") { $0.realm = World.contoso } }
    let metadata = MSALEntry(metadataOf: World.client, environment: "login.windows.net")
    let keys = (tokens + [ann.record(), metadata]).flatMap(\.keys)
    #expect(Set(keys).count == keys.count && keys.count == 6)
  }

  /// Two records that a target cannot keep side by side have one slot, in both forms.
  @Test(arguments: [CacheForm.keychainItems, .document])
  func whatATargetKeepsRecordsBy(form: CacheForm) throws {
    func key(_ record: MSALEntry, _ group: String = World.group) throws -> MSALEntry.Slot {
      try #require(record.slot(in: form, group: group))
    }
    let token = ann.credential(.refreshToken, "rt")
    #expect(try key(token) == key(ann.credential(.refreshToken, "another")))
    #expect(try key(token) != key(ann.credential(.refreshToken, "rt", client: World.otherClient)))
    #expect(try key(token) != key(ann.credential(.refreshToken, "rt", host: "sts.windows.net")))
    #expect(try (key(token) == key(token, "another")) == (form == .document))
    let item = token.item(accessGroup: World.group, at: nil)
    #expect(try (key(token) == MSALEntry.Slot(item)) == (form == .keychainItems))
  }
}
