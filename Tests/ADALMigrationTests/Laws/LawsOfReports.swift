// SPDX-License-Identifier: MIT
import SyntheticCaches
import Testing

@testable import ADALMigration

/// The report's statements about lists agree with the answers of look-ups (D43).
extension LawsCase {
  func checkContradictions() {
    guard route == .inPlace else { return }
    let clients = Set(cache.clients.map(\.id)).union(policy.clientIDs ?? [])
      .union(Contradictions.clients(of: report))
    let contradictions = Contradictions(
      report, before + added, clients: isLarge ? Set(clients.sorted().prefix(3)) : clients,
      now: cache.now)
    if !isLarge {
      for sentence in contradictions.sentences { Issue.record("\(sentence)") }
    }
  }
}
