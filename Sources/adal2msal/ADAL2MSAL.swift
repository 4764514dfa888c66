// SPDX-License-Identifier: MIT
import ArgumentParser

/// The command.
@main struct ADAL2MSAL: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "adal2msal", version: "0.1.0")
}
