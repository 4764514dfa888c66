// SPDX-License-Identifier: MIT
import ADALMigration
import MigrationReports
import ArgumentParser
import CProcess
import PlatformFoundation

/// The rules of the terminal. Data goes to standard output, complete and nothing else. Everything that
/// is a message goes to standard error, with the prefix `adal2msal: `, lower case and without a
/// full stop. Nothing is ever asked.
enum Terminal {
  enum Color: String, OptionWord {
    case auto, always, never
  }

  private static let crashes = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

  private static let output: Int32 = 1
  private static let error: Int32 = 2
  /// The columns below which lines are as long as they would be there.
  private static let narrowest = 40

  /// Makes the process survive its surroundings: a reader that goes away, a limit on files, closed standard streams. If
  /// it does not survive, its tokens must not leak.
  static func prepare() {
    process_forbid_core_dumps()
    // Swift's backtracer would print the memory that registers point to.
    for number in crashes { signal(number, SIG_DFL) }
    signal(SIGPIPE, SIG_IGN)
    // A file that grows over its limit is then an error to report, and not the end.
    signal(SIGXFSZ, SIG_IGN)
    // A cache opened later must not get the number of a standard stream. A stream opened only for reading still refuses
    // writes.
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
      _ = open("/dev/null", O_RDONLY)
    }
    // ArgumentParser traps when it shall fill help into fewer columns than it indents by.
    if width(of: output) < narrowest {
      setenv("COLUMNS", String(narrowest), 1)
    }
  }

  /// The words after the command's name.
  ///
  /// - Throws: ``Failure`` of status 64 for a word that is not UTF-8: as a text it would be another one, and
  ///   name another file.
  static func words() throws -> [String] {
    var place = process_words() ?? UnsafePointer(CommandLine.unsafeArgv)
    if place.pointee != nil { place += 1 }
    var words: [String] = []
    while let word = place.pointee {
      guard let text = String(validatingCString: word) else {
        throw Failure(
          .usage, "argument \(words.count + 1), \(String(cString: word)), is not UTF-8",
          hint: "rename the file that it names")
      }
      words.append(text)
      place += 1
    }
    return words
  }

  static func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// Writes data to standard output. A reader who has seen enough is no error.
  ///
  /// - Parameter isEndless: whether there is more to come, so that a reader who goes away ends the process with
  ///   status 74, without a message.
  static func write(_ bytes: [UInt8], isEndless: Bool = false) throws {
    try bytes.withUnsafeBufferPointer { try write($0, isEndless: isEndless) }
  }

  /// The same of bytes that another array goes on with.
  static func write(_ bytes: UnsafeBufferPointer<UInt8>, isEndless: Bool = false) throws {
    switch send(bytes, to: output) {
    case nil: return
    case EPIPE?: if isEndless { throw ExitCode(ExitStatus.interrupted.rawValue) }
    case let number?:
      throw Failure(
        .interrupted, "cannot write to standard output: \(String(cString: strerror(number)))")
    }
  }

  static func note(_ message: String) {
    tell("adal2msal: \(PlainText.show(message))\n")
  }

  /// Writes exactly these characters as a message.
  static func tell(_ text: String) {
    _ = Array(text.utf8).withUnsafeBufferPointer { send($0, to: error) }
  }

  /// The columns of a line that is taken away again; nil without a terminal.
  static var progressWidth: Int? {
    isatty(error) == 1 && variable("TERM") != "dumb" ? width(of: error) : nil
  }

  /// Removes a line from its beginning. It calls only functions that a signal handler may call.
  static func clearLine() {
    let start: StaticString = "\r\u{1B}[K"
    _ = PlatformFoundation.write(2, start.utf8Start, start.utf8CodeUnitCount)
  }

  static func say(_ failure: Failure) {
    note(failure.message)
    if let hint = failure.hint { note("hint: \(hint)") }
  }

  static func style(_ color: Color) -> TextStyle {
    let isTerminal = isatty(output) == 1
    let isColored =
      switch color {
      case .always: true
      case .never: false
      case .auto:
        isTerminal && (variable("NO_COLOR") ?? "").isEmpty && variable("TERM") != "dumb"
      }
    return TextStyle(width: isTerminal ? width(of: output) : nil, color: isColored)
  }

  /// A variable of the environment. Foundation would make a dictionary of all at every start.
  static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  private static func width(of terminal: Int32) -> Int {
    if let columns = variable("COLUMNS").flatMap({ Int($0) }), columns > 0 { return columns }
    var size = winsize()
    let found = ioctl(terminal, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return found ? Int(size.ws_col) : 80
  }

  /// Writes all bytes and returns nil, or the number of the error that stopped it.
  private static func send(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) -> Int32? {
    var rest = bytes
    while !rest.isEmpty {
      let count = PlatformFoundation.write(descriptor, rest.baseAddress, rest.count)
      if count < 0 {
        let number = errno
        guard canTryAgain(number, descriptor, POLLOUT) else { return number }
        continue
      }
      if count == 0 { return EIO }
      rest = UnsafeBufferPointer(rebasing: rest.dropFirst(count))
    }
    return nil
  }

  /// Whether a call can be made again that failed with this number: it was interrupted, or another program has made
  /// the stream non-blocking. Then this waits until the stream is ready.
  static func canTryAgain(_ number: Int32, _ stream: Int32, _ event: Int32) -> Bool {
    guard number == EINTR || number == EAGAIN else { return false }
    if number == EAGAIN {
      var waiting = pollfd(fd: stream, events: Int16(event), revents: 0)
      _ = poll(&waiting, 1, -1)
    }
    return true
  }
}
