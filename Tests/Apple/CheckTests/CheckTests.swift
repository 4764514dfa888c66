// SPDX-License-Identifier: MIT
import XCTest

@testable import Check

/// The checks that need no person, in the app's process: the keychain asks for its entitlements.
final class CheckTests: XCTestCase {
  func testEveryCheckPasses() throws {
    let report = CheckReport.running(Check.all, second: "com.contoso.adal2msal.check.other")
    print(report.markdown(system: ProcessInfo.processInfo.operatingSystemVersionString))
    XCTAssertEqual(report.answers.map(\.number), [1, 2, 3])
    for answer in report.answers {
      XCTAssertEqual(answer.problems, [], "check \(answer.number)")
    }
  }
}
