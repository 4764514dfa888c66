// SPDX-License-Identifier: MIT
import ADALMigration
import ArgumentParser
import PlatformFoundation
import KeychainItems
import MSALCache

/// The exit status of a process; a promise to scripts (contract §5).
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

/// The reason why a command cannot go on, in words: lower case, no full stop.
struct Failure: Error {
  var status: ExitStatus
  var message: String
  var hint: String?

  init(_ status: ExitStatus, _ message: String, hint: String? = nil) {
    self.status = status
    self.message = message
    self.hint = hint
  }

  /// The meaning of a library error for the process.
  init(_ error: any Error) {
    switch error {
    case let error as Failure: self = error
    case let error as StoreError:
      let status = ExitStatus(error.code)
      let page = Reason.keychainNoEntitlement.code
      self.init(
        status, error.message, hint: status == .refused ? "see 'adal2msal explain \(page)'" : nil)
    case MigrationError.invalidPolicy(let sentence): self.init(.usage, sentence)
    case let error as MSALCacheError: self.init(.notACache, error.description)
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

extension ADAL2MSAL {
  /// Prints the message of an error that a command threw, possibly a request for help, and ends the process.
  static func end(with error: any Error) -> Never {
    if let code = error as? ExitCode { PlatformFoundation.exit(code.rawValue) }
    switch error {
    case is Failure, is StoreError, is MigrationError, is UnmatchedFilter, is MSALCacheError:
      end(with: Failure(error))
    case _ where exitCode(for: error) != .success: end(with: usage(error))
    default: break
    }
    let text = fullMessage(for: error)
    do {
      try Terminal.write(text.hasSuffix("\n") ? text : text + "\n")
    } catch {
      end(with: Failure(error))
    }
    PlatformFoundation.exit(ExitStatus.done.rawValue)
  }

  private static func end(with failure: Failure) -> Never {
    Terminal.say(failure)
    PlatformFoundation.exit(failure.status.rawValue)
  }

  private static func usage(_ error: any Error) -> Failure {
    guard exitCode(for: error) == .validationFailure else { return Failure(error) }
    let more = fullMessage(for: error).split(separator: "\n").last { line in
      line.drop { $0 == " " }.hasPrefix("See '")
    }
    let command = more.map { $0.split(separator: "'", omittingEmptySubsequences: false) }
    return Failure(
      .usage, message(for: error).asClause,
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
      : words.replacing(". Please provide one of the following:", with: "; it is one of ")
        + values.joined(separator: ", ")
    let joined = line.replacing(". Please provide ", with: "; it is ")
    let open = joined.hasSuffix(".") ? String(joined.dropLast()) : joined
    return open.prefix(1).lowercased() + open.dropFirst()
  }

  private func replacing(_ words: String, with others: String) -> String {
    guard let range = self[...].firstRange(ofBytes: words) else { return self }
    return self[..<range.lowerBound] + others + self[range.upperBound...]
  }
}
