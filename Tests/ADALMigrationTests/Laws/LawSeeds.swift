// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// Which generated caches the laws are tried on. Half are the same in every run; the others change every day,
/// so that new ones are tried all the time and a day's failure is there again on that day.
///
/// `LAW_SEEDS` says how many, `LAW_SEED` names one, or with `40-59` the first and the last of several: what a failed
/// test calls its seed makes the same cache on any day.
enum LawSeeds {
  /// Seeds that once failed.
  static let found: [UInt64] = [
    24,  // a row without identifier that a client lists beside its own account of the name
    1118,  // a row with a session key, of a client that is not asked for
    48,  // an account that no refresh token lists, with another name than the row that MSAL lists
    626,  // two people of one name and two clients, interrupted between their accounts
    918,  // somebody whom a client lists by a family's row, until it is in none
    1007,  // an ID token of somebody, in an entry that says to be somebody else's
    2094,  // two refresh tokens of one account and client, of which MSAL takes neither
    207_801_049,  // a row of an unknown host, hidden by an account of its name in another cloud
    207_801_654,  // the same, of several clients, one of them known in lower case by a damaged row
    207_802_215,  // a family's token in MSAL's form, of a client that is not asked for
    223,  // a primary refresh token without a name, beside a row whose account it may hide
    332,  // a damaged row of a user whom another row keeps under an older name
    339,  // a damaged row of a user who signed out, and the same account id in another cloud
    577,  // a damaged row of a client that MSAL lists no family's account for
    1257,  // a damaged row of a name that two users have had
    1638,  // more lists of one name than are given
    1980,  // a family's row that the only client that is asked for does not list
    207_810_725,  // a client with a family's token alone, whose own place is taken
    207_810_777,  // an entry of a user who signed out, in the place of one that is written
    207_811_434,  // a family's rows without a name, beside another client's row
    207_820_094,  // a family's user, and a token of the same account id in another cloud
    207_832_308,  // a family's user who signed out of a client that lists by the family alone
    3107,  // a client's own token of a family in a document, of a client that is in none
    3793,  // a damaged row of a user whom MSAL lists by another name of the account id
    1021,  // a client that is asked for in another spelling than a note of a sign-out has
    4531,  // a family's row that only an app lists which the cache does not know
    7596,  // a row that stands for another one, which stores an identifier, and comes first
    9407,  // a document with app metadata of a client that a family signs in
    22_800,  // a damaged row of a user who is signed in in another access group alone
    9601,  // as 4531
    12_866,  // as 10027; the name is in another access group
    13_212,  // a list for a client as the policy spells it
    17_748,  // a damaged row of a user whom MSAL lists by the name of a guest
    10_027,  // a user whose name says a row alone of which nothing is converted
    15_744,  // a client that is in no family, which a family's token names
    25_022,  // a client that is spelled otherwise in rows of another name than in app metadata
    26_268,  // an account that another access group has for other clients alone
    27_457,  // somebody without a name, interrupted behind an account without one
    31_266,  // somebody who shares the name of a user who signed out
    31_537,  // a family's token alone, where no client is asked for
    47_268,  // a family's token, in a group whose app metadata says that its client is in none
    48_378,  // a user of two names in three access groups
    48_757,  // a user with an account's name, in a cache with more lists than are given
    49_554,  // as 48378
    53_207,  // a token that is there, beside an account that cannot be read
    76_272,  // a signed-out user of whom one row stores the home account id, and one does not
    93_636,  // a family's token that a client is named in which may not use it
    110_701,  // a client that lists a user by another client's row of a family alone
    144_349,  // the same, where its own row is of a beta
    179_318,  // a row that stores an identifier, behind one of the same account that a name hides
    200_794,  // a family's row beside a tombstone, of a name that two people have
    223_554,  // as 76272, of a name that an account has
    228_457,  // as 1638, of people without a name
    242_790,  // access groups of one name, which together would show another line's name
    2557,  // an account under two hosts of a cloud, with another name under each
  ]

  static func chosen(_ environment: [String: String], now: Date) -> [UInt64] {
    let named = environment["LAW_SEED"]?.split(separator: "-").compactMap { UInt64($0) } ?? []
    if let first = named.first, let last = named.last, first <= last { return Array(first...last) }
    let count = environment["LAW_SEEDS"].flatMap(UInt64.init).map { min($0, 20_000) } ?? 40
    let fixed = count / 2
    // No day has a seed of another's, nor one of the fixed.
    let first = (UInt64(max(0, now.timeIntervalSince1970) / 86_400) + 1) * 10_000
    return Array(0..<fixed) + found + (0..<count - fixed).map { first + $0 }
  }
}

@Suite struct LawSeedsTests {
  private func chosen(_ environment: [String: String], day: Int) -> [UInt64] {
    LawSeeds.chosen(environment, now: Date(timeIntervalSince1970: Double(day) * 86_400 + 5))
  }

  @Test func halfOfThemChangeWithTheDate() {
    let always = [0, 1] + LawSeeds.found
    #expect(chosen(["LAW_SEEDS": "5"], day: 0) == always + [10_000, 10_001, 10_002])
    #expect(chosen(["LAW_SEEDS": "4"], day: 20_000) == always + [200_010_000, 200_010_001])
    #expect(chosen([:], day: 1).count == 40 + LawSeeds.found.count)
    #expect(chosen(["LAW_SEEDS": "9999999"], day: 1).last == 29_999)
  }

  @Test func oneCanBeTriedAlone() {
    #expect(chosen(["LAW_SEED": "200010001", "LAW_SEEDS": "4"], day: 1) == [200_010_001])
    #expect(chosen(["LAW_SEED": "40-42"], day: 1) == [40, 41, 42])
  }
}
