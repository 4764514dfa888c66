// SPDX-License-Identifier: MIT
import ADALMigration
import MSAL
import Security
import XCTest

/// The entries that MSAL itself finds after a migration of the cache that ADAL itself wrote (WriterTests). The tests
/// run in the order of their names, each on the result of the one before.
final class ReaderTests: XCTestCase {
  private static let graph = "https://graph.microsoft.com/.default"

  /// The home account ID that follows from the ID tokens that WriterTests makes.
  private static func homeAccountID(_ digit: Int) -> String {
    "33333333-0000-4000-8000-0000000000\(digit < 10 ? "0" : "")\(digit)"
      + ".22222222-0000-4000-8000-000000000001"
  }

  private func application(_ client: String) throws -> MSALPublicClientApplication {
    let configuration = MSALPublicClientApplicationConfig(
      clientId: client, redirectUri: "https://contoso.example/redirect", authority: nil)
    // The redirect URI is never used: nobody signs in here.
    configuration.bypassRedirectURIValidation = true
    return try MSALPublicClientApplication(configuration: configuration)
  }

  private func client(_ number: Int) -> String { "11111111-0000-4000-8000-00000000000\(number)" }

  private func acquire(
    _ application: MSALPublicClientApplication, _ account: MSALAccount, refreshing: Bool = false
  ) throws -> String {
    let parameters = MSALSilentTokenParameters(scopes: [Self.graph], account: account)
    parameters.forceRefresh = refreshing
    let answered = expectation(description: "answered")
    var token: String?
    var failure: (any Error)?
    application.acquireTokenSilent(with: parameters) { result, error in
      token = result?.accessToken
      failure = error
      answered.fulfill()
    }
    wait(for: [answered], timeout: 30)
    if let failure { throw failure }
    return try XCTUnwrap(token)
  }

  /// The services of the items whose account begins with a home account ID: MSAL's entries of one account.
  private func services(of homeAccountID: String) -> [String] {
    var result: CFTypeRef?
    let query: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword,
      kSecMatchLimit as String: kSecMatchLimitAll,
      kSecReturnAttributes as String: true,
      kSecUseAuthenticationUI as String: kSecUseAuthenticationUISkip,
    ]
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    XCTAssertTrue(status == errSecSuccess || status == errSecItemNotFound, "\(status)")
    return (result as? [[String: Any]] ?? []).filter {
      ($0[kSecAttrAccount as String] as? String)?.lowercased().hasPrefix(homeAccountID) ?? false
    }.compactMap { $0[kSecAttrService as String] as? String }
  }

  func test1MigrationKeepsEveryUserSignedInAndRunsAgain() throws {
    let migration = TokenCacheMigration()
    let report = try migration.run()
    XCTAssertGreaterThanOrEqual(report.summary.rows, 6)
    XCTAssertEqual(report.accounts.filter { $0.signedIn == .yes }.count, 3)
    XCTAssertEqual(try migration.run().summary.written, 0)
  }

  func test2MSALFindsEveryAccount() throws {
    let report = try TokenCacheMigration().plan()
    for account in report.accounts where account.signedIn == .yes {
      let identifier = try XCTUnwrap(account.homeAccountID)
      for client in account.clients {
        let application = try application(client)
        XCTAssertNoThrow(try application.account(forIdentifier: identifier), client)
        XCTAssertTrue(try application.allAccounts().contains { $0.identifier == identifier })
      }
    }
  }

  func test3ACachedAccessTokenNeedsNoRequest() throws {
    let identifier = Self.homeAccountID(1)
    TokenService.answer(for: identifier)
    _ = TokenService.takeForms()
    let application = try application(client(1))
    let account = try application.account(forIdentifier: identifier)
    XCTAssertEqual(try acquire(application, account), "synthetic-at-adele-graph")
    XCTAssertEqual(TokenService.takeForms().count, 0)
  }

  func test4MSALSendsTheRefreshTokenOfADAL() throws {
    let identifier = Self.homeAccountID(2)
    TokenService.answer(for: identifier)
    _ = TokenService.takeForms()
    let application = try application(client(2))
    let account = try application.account(forIdentifier: identifier)
    XCTAssertEqual(try acquire(application, account, refreshing: true), "synthetic-at-answered")
    let form = try XCTUnwrap(TokenService.takeForms().first)
    XCTAssertEqual(form["grant_type"], "refresh_token")
    XCTAssertEqual(form["refresh_token"], "synthetic-rt-alex")
  }

  /// MSAL's update names the item's type: with another type in ours it would add a second row, or fail.
  func test5MSALSavesOverWhatTheMigrationWrote() throws {
    let identifier = Self.homeAccountID(2)
    TokenService.answer(for: identifier)
    let application = try application(client(2))
    let account = try application.account(forIdentifier: identifier)
    XCTAssertEqual(try acquire(application, account, refreshing: true), "synthetic-at-answered")
    XCTAssertEqual(TokenService.takeForms().last?["refresh_token"], "synthetic-rt-answered")
    let refreshTokens = services(of: identifier).filter {
      $0.hasPrefix("refreshtoken-\(client(2))")
    }
    XCTAssertEqual(refreshTokens.count, 1)
  }

  /// MSAL removes by the attributes that it derives: a single other one, and an item of ours would stay.
  func test6MSALRemovesAllOfAnAccount() throws {
    let identifier = Self.homeAccountID(1)
    XCTAssertNotEqual(services(of: identifier).filter { $0.contains(client(1)) }, [])
    let application = try application(client(1))
    try application.remove(application.account(forIdentifier: identifier))
    // The account itself stays, since another client may use it.
    XCTAssertEqual(services(of: identifier).filter { $0.contains(client(1)) }, [])
  }
}
