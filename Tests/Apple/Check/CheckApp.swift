// SPDX-License-Identifier: MIT
import SwiftUI

/// One screen that asks the keychain of this device and shows its answers.
@main struct CheckApp: App {
  var body: some Scene {
    WindowGroup { CheckScreen() }
  }
}

struct CheckScreen: View {
  @State private var report: CheckReport?
  @State private var locked: [String]?
  @State private var isRunning = false
  /// Whether it waits for the screen to be locked.
  @State private var isWaiting = false

  /// The name of the second access group in Check.entitlements.
  nonisolated private static let second = "com.contoso.adal2msal.check.other"

  var body: some View {
    List {
      Section {
        ForEach(report?.answers ?? []) { answer in
          Text("\(answer.problems.isEmpty ? "✓" : "✗") \(answer.number) \(answer.title)")
          ForEach(answer.problems, id: \.self) { Text($0).font(.caption) }
        }
        Button(isRunning ? "Running…" : "Run the checks") { Task { await run() } }
          .disabled(isRunning)
      }
      #if os(iOS) && !targetEnvironment(simulator)
        Section {
          Text(
            isWaiting
              ? "Lock the device now. Unlock it after 30 seconds." : "Check 4, with a locked screen"
          )
          ForEach(locked ?? [], id: \.self) { Text($0).font(.caption) }
          Button("Start check 4") { Task { await runLocked() } }.disabled(isWaiting)
        }
      #endif
      if report != nil { Button("Copy for the form") { copy() } }
    }
    .task { await run() }
  }

  private func run() async {
    isRunning = true
    report = await Task.detached { CheckReport.running(Check.all, second: Self.second) }.value
    isRunning = false
  }

  private var markdown: String {
    let system = ProcessInfo.processInfo.operatingSystemVersionString
    var text = report?.markdown(system: system) ?? ""
    if let locked {
      text += "\n- check 4, Locked screen: \(locked.isEmpty ? "passed" : "FAILED")"
      text += locked.map { "\n  - \($0)" }.joined()
    }
    return text
  }

  private func copy() {
    #if os(macOS)
      NSPasteboard.general.clearContents()
      NSPasteboard.general.setString(markdown, forType: .string)
    #else
      UIPasteboard.general.string = markdown
    #endif
  }

  #if os(iOS)
    /// How long the screen must be locked until the system takes the keys away, and some.
    private static let seconds: UInt64 = 20

    private func runLocked() async {
      guard let keychain = try? CheckKeychain(second: Self.second) else { return }
      isWaiting = true
      // Time to work while the screen is locked.
      let work = UIApplication.shared.beginBackgroundTask()
      LockedCheck.cleanUp(keychain)
      do {
        try LockedCheck.prepare(keychain)
        try await Task.sleep(nanoseconds: Self.seconds * 1_000_000_000)
        locked =
          UIApplication.shared.isProtectedDataAvailable
          ? ["the screen was not locked, or the device has no passcode"]
          : LockedCheck.problems(keychain)
      } catch {
        locked = ["\(error)"]
      }
      LockedCheck.cleanUp(keychain)
      UIApplication.shared.endBackgroundTask(work)
      isWaiting = false
    }
  #endif
}
