// SPDX-License-Identifier: MIT
import Foundation
import HostileInput
import LibFuzzer

/// Runs libFuzzer on the reader that `--TARGET` names; every other argument is libFuzzer's own.
@main enum Fuzz {
  /// libFuzzer leaves arguments with two dashes alone and passes them on to its own subprocesses.
  static let target = CommandLine.arguments.lazy
    .compactMap { HostileInput(rawValue: String($0.drop { $0 == "-" })) }.first

  static func main() {
    guard target != nil else {
      print("say which: --" + HostileInput.allCases.map(\.rawValue).joined(separator: " --"))
      exit(64)
    }
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(LLVMFuzzerRunDriver(&count, &arguments) { Fuzz.run($0, $1) })
  }

  private static func run(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let before = Usage()
    do {
      try target?.read(bytes)
    } catch {
      fail("\(error)")
    }
    let after = Usage()
    if after.seconds - before.seconds >= 1 { fail("more than a second") }
    if after.peak - before.peak >= 200 << 20 { fail("more than 200 MB") }
    return 0
  }

  /// Lets libFuzzer keep the input. An optimised build would not print what a precondition says.
  private static func fail(_ words: String) -> Never {
    FileHandle.standardError.write(Data("BROKEN PROMISE: \(words)\n".utf8))
    abort()
  }
}

/// The resources that the process has used so far.
private struct Usage {
  /// The processor time of this process, which does not depend on the machine's other work.
  var seconds: Double
  /// The most memory that it ever had at once, in bytes.
  var peak: Int

  init() {
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
      peak = usage.ru_maxrss
    #else
      getrusage(RUSAGE_SELF.rawValue, &usage)
      peak = usage.ru_maxrss << 10
    #endif
    let times = [usage.ru_utime, usage.ru_stime]
    seconds = times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
  }
}
