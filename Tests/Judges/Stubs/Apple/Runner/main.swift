// SPDX-License-Identifier: MIT
import Foundation
import KeychainModel
import Security

// Runs the checks of Tests/Apple with a model of the keychain in the place of a device's. With `LIE` the model says
// something else than a keychain would, which the checks must notice.

let model = KeychainModel()
model.groups = [
  "ABCDE12345.com.contoso.adal2msal.check", "ABCDE12345.com.contoso.adal2msal.check.other",
]
let lie = ProcessInfo.processInfo.environment["LIE"]

Security.keychain = { question in
  guard let function = ScriptedCalls.Function(rawValue: question.function) else {
    return (errSecParam, [])
  }
  var arguments = question.arguments
  switch lie {
  // A keychain that asks a person although it must not.
  case "asks": arguments["u_AuthUI"] = nil
  // A keychain that keeps the last of two items with one key.
  case "duplicates" where function == .add:
    let (status, items) = model.answer(function, arguments)
    return (status == -25299 ? 0 : status, items)
  // A keychain that forgets the type of an item.
  case "type": arguments["type"] = nil
  default: break
  }
  return model.answer(function, arguments)
}

let report = CheckReport.running(Check.all, second: "com.contoso.adal2msal.check.other")
print(report.markdown(system: "Linux"))
print("- questions: \(model.questionsToPersons), left: \(model.all.map(\.account))")
