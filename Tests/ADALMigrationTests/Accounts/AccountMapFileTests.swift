// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import ADALMigration
@testable import MigrationPolicies

/// The account map as files: what is read, and what is said of what cannot be.
@Suite struct AccountMapFileTests {
  private static let ann = "11111111-aaaa-4000-8000-000000000001"
  private static let eve = "22222222-bbbb-4000-8000-000000000002"
  private static let tenant = "6fd1f5cd-a94c-4335-889b-6c598e6d8048"
  private static let header = "home_oid,home_tid,tid,oid,upn,username_override,environment\n"

  private func entries(_ text: String) throws -> [AccountMap.Entry] {
    try AccountMap(file: Array(text.utf8)).entries
  }

  /// The problem with a file, or nil.
  private func fault(_ text: String) -> String? {
    do {
      _ = try AccountMap(file: Array(text.utf8))
      return nil
    } catch {
      return String(describing: error)
    }
  }

  // MARK: Accepted files

  @Test func commaSeparatedValues() throws {
    let read = try entries(
      Self.header + " \(Self.ann.uppercased()) ,\(Self.tenant),,,Ann@Contoso.com,,\r\n\r\n"
        + "\(Self.eve),\(Self.tenant),\(Self.tenant),\(Self.ann),,\"Eve, \"\"E\"\" Ray\",LOGIN.windows.net\n"
    )
    #expect(
      read == [
        AccountMap.Entry(homeOID: Self.ann, homeTID: Self.tenant, upn: "ann@contoso.com"),
        AccountMap.Entry(
          homeOID: Self.eve, homeTID: Self.tenant, tid: Self.tenant, oid: Self.ann,
          usernameOverride: "Eve, \"E\" Ray", environment: "login.windows.net"),
      ])
  }

  /// As a spreadsheet writes it where the comma is in numbers.
  @Test func semicolonSeparatedValues() throws {
    let read = try entries(
      "home_oid;home_tid;upn;username_override\r\n"
        + "\(Self.ann);\(Self.tenant);ann@contoso.com;\"Ann; Lee, Dr.\"\r\n")
    #expect(
      read == [
        AccountMap.Entry(
          homeOID: Self.ann, homeTID: Self.tenant, upn: "ann@contoso.com",
          usernameOverride: "Ann; Lee, Dr.")
      ])
    for end in ["\n", "\r"] {
      let names = try entries(
        "home_oid;home_tid;upn;username_override\(end)\(Self.ann);\(Self.tenant);a;Lee, Ann\(end)"
      ).map(\.usernameOverride)
      #expect(names == ["Lee, Ann"])
    }
    #expect(fault("home_oid;home_tid;upn\n\(Self.ann);x;a") == "line 2: home_tid is not a GUID")
    #expect(fault("home_oid,home_tid;upn\n")?.hasPrefix("line 1: unknown column") == true)
  }

  /// A quotation mark and the mark above it are one character, which is no quotation mark.
  @Test func eachQuotationMarkIsDoubled() throws {
    let line = CSV.line(["a\"\u{301}b", "\"\""])
    #expect(line.utf8.elementsEqual("\"a\"\"\u{301}b\",\"\"\"\"\"\"\n".utf8))
    #expect(try CSV.records(of: line).first?.fields == ["a\"\u{301}b", "\"\""])
  }

  /// A name is whatever somebody wrote there, and the template is opened in a spreadsheet.
  @Test(
    "no cell begins a formula, with a semicolon between cells either",
    arguments: [
      ("a;=HYPERLINK(1);b", "a;'=HYPERLINK(1);b"), ("a\n=1", "a\n'=1"), ("\t=1", "'\t'=1"),
      ("＝1", "'＝1"), ("a;＋1", "a;'＋1"), ("a;'=1", "a;''=1"), ("a;b", "a;b"), ("\r\n-1", "'\r\n'-1"),
    ])
  func noPartIsAFormula(name: String, guarded: String) throws {
    let line = CSV.line([name, "x"])
    let quoted = guarded.replacingOccurrences(of: "\"", with: "\"\"")
    #expect(line.utf8.elementsEqual("\"\(quoted)\",x\n".utf8) || line == "\(guarded),x\n")
    #expect(CSV.withoutGuard(guarded).utf8.elementsEqual(name.utf8))
  }

  @Test(arguments: ["=cmd|' /C calc'!A0", "+1", "-1", "@sum(a1)", "\tx", "\rx", "'=a", "''@a"])
  func namesAreNoFormulas(name: String) throws {
    let line = CSV.line([name, name + "@contoso.com", "plain", "'plain", ""])
    let fields = try CSV.records(of: line).first?.fields
    #expect(fields == ["'" + name, "'" + name + "@contoso.com", "plain", "'plain", ""])
    #expect(
      fields?.map(CSV.withoutGuard) == [name, name + "@contoso.com", "plain", "'plain", ""])
    // The filled-in line matches the row.
    let map =
      CSV.line(["home_oid", "home_tid", "upn"]) + CSV.line([Self.ann, Self.tenant, name + "x"])
    let normal = (name + "x").lowercased().trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(try entries(map).map(\.upn) == [normal])
  }

  @Test("columns come in any order and case, behind a byte order mark") func columns() throws {
    let read = try entries(
      "\u{FEFF}UPN,Home_TID, home_oid\nann@contoso.com,\(Self.tenant),\(Self.ann)")
    #expect(
      read == [AccountMap.Entry(homeOID: Self.ann, homeTID: Self.tenant, upn: "ann@contoso.com")])
  }

  @Test func javaScriptObjectNotation() throws {
    let read = try entries(
      """
       [{"home_oid": "\(Self.ann)", "home_tid": "\(Self.tenant)", "upn": "ann@contoso.com"},
        {"home_oid": "\(Self.eve)", "home_tid": "\(Self.tenant)", "tid": "\(Self.tenant)",
         "oid": "\(Self.ann)", "environment": null}]
      """)
    #expect(
      read == [
        AccountMap.Entry(homeOID: Self.ann, homeTID: Self.tenant, upn: "ann@contoso.com"),
        AccountMap.Entry(
          homeOID: Self.eve, homeTID: Self.tenant, tid: Self.tenant, oid: Self.ann),
      ])
  }

  @Test("a template's line that is not filled in says nothing") func unfilled() throws {
    #expect(try entries(Self.header + ",,\(Self.tenant),\(Self.ann),ann@contoso.com,,\n") == [])
    #expect(try entries("[{\"upn\": \"ann@contoso.com\"}]") == [])
    #expect(try entries(Self.header) == [])
    #expect(try entries("[]") == [])
  }

  @Test("the same said twice is no contradiction, nor is another cloud") func repetition() throws {
    let line = "\(Self.ann),\(Self.tenant),,,ann@contoso.com,,"
    #expect(try entries(Self.header + "\(line)\n\(line)\n").count == 2)
    #expect(try entries(Self.header + "\(line)\n\(line.dropLast())Ann,\n").count == 2)
    let named = "\(line.dropLast())Ann,"
    #expect(try entries(Self.header + "\(named)\n\(named)\n").count == 2)
    #expect(
      try entries(
        Self.header + "\(line)login.windows.net\n"
          + "\(Self.eve),\(Self.tenant),,,ann@contoso.com,,login.chinacloudapi.cn\n"
      ).count == 2)
  }

  // MARK: Refused files

  @Test(arguments: [
    (
      "\(header)\(ann),\(tenant),,,ann@contoso.com,,\n\n\(eve),contoso.com,,,eve@contoso.com,,\n",
      "line 4: home_tid is not a GUID"
    ),
    ("\(header),\(tenant),,,ann@contoso.com,,\n", "line 2: home_oid is not a GUID"),
    ("\(header)\(ann),,,,ann@contoso.com,,\n", "line 2: home_tid is not a GUID"),
    (
      "\(header)\(ann),\(tenant),contoso.com,\(eve),,,\n", "line 2: tid is not a GUID"
    ),
    ("\(header)\(ann),\(tenant),\(tenant),eve,,,\n", "line 2: oid is not a GUID"),
    (
      "\(header)\(ann),\(tenant),\(tenant),,ann@contoso.com,,\n",
      "line 2: tid and oid must both be set; one is missing"
    ),
    ("\(header)\(ann),\(tenant),,,,,\n", "line 2: names no account; set tid and oid, or upn"),
    (
      "\(header)\(ann),\(tenant),,,auth.placeholder-9f86d081__contoso.com,,\n",
      "line 2: the upn is masked; replace it with the real user name"
    ),
    (
      "\(header)\(ann),\(tenant),,,ann@contoso.com,,\n\(eve),\(tenant),,,ANN@contoso.com ,,\n",
      "line 3: another line gives the same account a different home account ID"
    ),
    (
      "\(header)\(ann),\(tenant),\(tenant),\(ann),,,\n\(eve),\(tenant),\(tenant),\(ann),,,\n",
      "line 3: another line gives the same account a different home account ID"
    ),
    (
      "\(header)\(ann),\(tenant),,,ann@contoso.com,Ann,\n\(ann),\(tenant),,,ann@contoso.com,Lee,\n",
      "line 3: another line gives the same account a different user name"
    ),
    ("\(header)\(ann),\(tenant)\n", "line 2: the header has 7 fields, this line has 2"),
    ("\(header)\(ann)\n", "line 2: the header has 7 fields, this line has 1"),
    ("\(header)\"\"\n", "line 2: the header has 7 fields, this line has 1"),
    (
      "\(header)\"a\nb\",c\n\(ann),\(tenant)\n", "line 2: the header has 7 fields, this line has 2"
    ),
    ("\(header)\"\(ann),\(tenant),,,,,\n", "line 2: a quotation mark is not closed"),
    (
      "home_oid,home_tid,name\n",
      "line 1: unknown column \"name\"; known are home_oid, home_tid, tid, oid, upn, username_override, environment"
    ),
    ("\nhome_tid,upn\n", "line 2: the column home_oid is missing"),
    ("", "the account map is empty; it needs a header line"),
    ("[1]", "the account map is not a JSON array of objects with text values"),
    ("[{\"home_oid\": 5}]", "the account map is not a JSON array of objects with text values"),
    (
      "[{\"home_oid\": \"\(ann)\", \"home_tid\": \"x\", \"upn\": \"a\"}]",
      "account map entry 1: home_tid is not a GUID"
    ),
    (
      "[{\"homeOid\": \"\(ann)\"}]",
      "the account map has an unknown key \"homeOid\"; known are home_oid, home_tid, tid, oid, upn, username_override, environment"
    ),
  ]) func fault(text: String, message: String) {
    #expect(fault(text) == message)
  }

  @Test func bytesThatAreNoText() {
    #expect(throws: MigrationError.invalidPolicy("the account map is not UTF-8")) {
      try AccountMap(file: [0x68, 0xFF, 0x0A])
    }
  }

  @Test("a policy's rows are checked as a file's are") func inPolicy() {
    let row = "{\"home_oid\": \"\(Self.ann)\", \"home_tid\": \"\(Self.tenant)\"}"
    #expect(
      throws: MigrationError.invalidPolicy(
        "account map entry 1: names no account; set tid and oid, or upn")
    ) {
      try Policy(json: Array("{\"accountMap\": [\(row)]}".utf8))
    }
  }
}
