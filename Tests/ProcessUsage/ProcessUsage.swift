// SPDX-License-Identifier: MIT
import Foundation

/// The resources that this process has used so far.
public enum ProcessUsage {
  /// How long that may take which takes a second in a release on an idle machine: a busy one takes longer, and code that
  /// is not optimized takes many times as long.
  public static var second: Double {
    #if DEBUG
      20
    #else
      2
    #endif
  }

  /// Processor time of this thread, in seconds: what other tests and other programs do at the same time does
  /// not count.
  public static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The most memory that it ever held at once, in megabytes.
  public static var peak: Int {
    #if os(Linux)
      // The memory in getrusage includes the memory of the parent when it started this process.
      let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
      return line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first.map {
        $0 >> 10
      } ?? .max
    #else
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return Int(usage.ru_maxrss) >> 20
    #endif
  }
}
