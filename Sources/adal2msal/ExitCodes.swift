// SPDX-License-Identifier: MIT
import ADALMigration
import ArgumentParser
import Foundation
import KeychainItems
import MSALCache

/// What a process ends with; a promise to scripts (contract §5).
enum ExitStatus: Int32 {
  /// Done; all users stay signed in.
  case done = 0
  /// Done, and something was found.
  case found = 1
  /// Wrong arguments.
  case usage = 64
  /// A source or target is not a token cache.
  case notACache = 65
  /// A source does not exist or cannot be opened.
  case noInput = 66
  /// The place does not exist on this system.
  case unavailable = 69
  /// A bug of ours.
  case bug = 70
  /// The target cannot be written; nothing was changed.
  case cannotWrite = 73
  /// Reading or writing failed half way.
  case interrupted = 74
  /// Something is locked.
  case tryAgain = 75
  /// The keychain refuses.
  case refused = 77
}

/// Why a command cannot go on, in words: lower case, no full stop.
struct Failure: Error {
  var status: ExitStatus
  var message: String
  var hint: String?

  init(_ status: ExitStatus, _ message: String, hint: String? = nil) {
    self.status = status
    self.message = message
    self.hint = hint
  }

  /// What an error of the libraries means for the process.
  init(_ error: any Error) {
    switch error {
    case let error as Failure: self = error
    case let error as StoreError:
      let status = ExitStatus(error.code)
      let page = Reason.keychainNoEntitlement.code
      self.init(
        status, error.message, hint: status == .refused ? "see 'adal2msal explain \(page)'" : nil)
    case MigrationError.invalidPolicy(let sentence): self.init(.usage, sentence)
    case let error as CacheDocumentError: self.init(.notACache, error.description)
    case MigrationError.accessGroupNeeded:
      self.init(
        .usage, "\(error)", hint: "for example '--into-group ABCDE12345.com.microsoft.adalcache'")
    case let filter as UnmatchedFilter:
      self.init(.usage, filter.sentence, hint: filter.choice)
    case MigrationError.accessGroupWithoutTeam(_, let suggestions):
      let groups = suggestions.isEmpty ? ["ABCDE12345.GROUP"] : suggestions
      let start = suggestions.isEmpty ? "put it before, as in" : "the cache suggests"
      self.init(.usage, "\(error)", hint: "\(start) \(groups.joined(separator: " or "))")
    case is MigrationError: self.init(.bug, "\(error)")
    default: self.init(.bug, "internal error: \(error)")
    }
  }
}

extension ExitStatus {
  init(_ code: StoreError.Code) {
    switch code {
    case .notACache: self = .notACache
    case .unreadable: self = .noInput
    case .unwritable: self = .cannotWrite
    case .interrupted: self = .interrupted
    case .locked: self = .tryAgain
    case .unavailable: self = .unavailable
    case .refused: self = .refused
    default: self = .bug
    }
  }
}

/// How a process ends that did not simply come to its end.
struct Ending {
  private var status: Int32
  private var text: String?
  private var failure: Failure?

  /// - Parameter error: what a command threw, be it a request for help.
  init(_ error: any Error) {
    if let code = error as? ExitCode {
      status = code.rawValue
      return
    }
    if let known = Self.known(error) {
      failure = known
      status = known.status.rawValue
      return
    }
    status = ADAL2MSAL.exitCode(for: error).rawValue
    if status == 0 {
      text = ADAL2MSAL.fullMessage(for: error)
    } else {
      let failure = Self.usage(error)
      status = failure.status.rawValue
      self.failure = failure
    }
  }

  /// Says what there is to say and ends the process.
  func exit() -> Never {
    var status = status
    if let failure { Terminal.say(failure) }
    if let text {
      do {
        try Terminal.write(text.hasSuffix("\n") ? text : text + "\n")
      } catch {
        let failure = Failure(error)
        Terminal.say(failure)
        status = failure.status.rawValue
      }
    }
    Foundation.exit(status)
  }

  private static func known(_ error: any Error) -> Failure? {
    switch error {
    case is Failure, is StoreError, is MigrationError, is UnmatchedFilter,
      is CacheDocumentError:
      return Failure(error)
    default:
      return nil
    }
  }

  /// ArgumentParser's own words in our form.
  private static func usage(_ error: any Error) -> Failure {
    guard ADAL2MSAL.exitCode(for: error) == .validationFailure else { return Failure(error) }
    let message = ADAL2MSAL.message(for: error)
    let more = ADAL2MSAL.fullMessage(for: error).split(separator: "\n").last { line in
      line.drop { $0 == " " }.hasPrefix("See '")
    }
    let command = more.map { $0.split(separator: "'", omittingEmptySubsequences: false) }
    return Failure(
      .usage, message.asClause,
      hint: (command?.dropFirst().first).map { "see '\($0)'" })
  }
}

extension String {
  /// A sentence of another program in the form of our own: one line, lower case, no full stop.
  var asClause: String {
    let lines = split(separator: "\n").map { $0.drop { $0 == " " } }
    // ArgumentParser puts each of an option's values on a line of its own.
    let values = lines.filter { $0.hasPrefix("- ") }.map { String($0.dropFirst(2)) }
    let words = lines.filter { !$0.hasPrefix("- ") }.joined(separator: " ")
    let line =
      values.isEmpty
      ? words
      : words.replacingOccurrences(
        of: ". Please provide one of the following:", with: "; it is one of ")
        + values.joined(separator: ", ")
    let joined = line.replacingOccurrences(of: ". Please provide ", with: "; it is ")
    let open = joined.hasSuffix(".") ? String(joined.dropLast()) : joined
    return open.prefix(1).lowercased() + open.dropFirst()
  }
}
