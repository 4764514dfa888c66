// SPDX-License-Identifier: MIT
import Foundation
import SyntheticCaches
import Testing

/// A law that holds for every cache (architecture §8).
enum Law: String, CaseIterable, CustomTestStringConvertible {
  case check, identities, writes, conversions, newest, brokers, signOuts, clients, names, severity,
    losses, conservation, dryRun, sourceIsUnchanged, idempotence, receipt, order, attributes,
    scopes, sequence, prefixes, lookups, listings, damage, contradictions, folder, secrets

  var testDescription: String { rawValue }

  /// Looks for what breaks the law.
  func check(_ run: LawsCase) throws {
    switch self {
    case .check: run.checkCheck()
    case .identities: try run.checkIdentities()
    case .writes: try run.checkWrites()
    case .conversions: try run.checkConversions()
    case .newest: try run.checkNewest()
    case .brokers: run.checkBrokers()
    case .signOuts: try run.checkSignOuts()
    case .clients: run.checkClients()
    case .names: try run.checkNames()
    case .severity: run.checkSeverity()
    case .losses: try run.checkLosses()
    case .conservation: try run.checkConservation()
    case .dryRun: run.checkDryRun()
    case .sourceIsUnchanged: try run.checkNothingIsChanged()
    case .idempotence: try run.checkIdempotence()
    case .receipt: try run.checkReceipt()
    case .order: try run.checkOrder()
    case .attributes: try run.checkAttributes()
    case .scopes: try run.checkScopes()
    case .sequence: try run.checkSequence()
    case .prefixes: try run.checkPrefixes(run.isLarge ? 1 : 2)
    case .lookups: try run.checkLookups()
    case .listings: try run.checkListings(2)
    case .damage: try run.checkDamage()
    case .contradictions: run.checkContradictions()
    case .folder: try run.checkFolder()
    // Looking for every token in every form takes as long as all other laws.
    case .secrets: if run.cache.seed % 5 == 0 { try run.checkSecrets() }
    }
  }
}

/// The migrations of the newest seeds, so that laws that look at one cache share it.
final class LawsCases: @unchecked Sendable {
  private static let most = 8
  private let shapes: Set<SyntheticShape>
  private let lock = NSLock()
  private var newest: [(seed: UInt64, run: LawsCase)] = []

  init(shapes: Set<SyntheticShape>) { self.shapes = shapes }

  func of(_ seed: UInt64) throws -> LawsCase {
    if let known = lock.withLock({ newest.first { $0.seed == seed }?.run }) { return known }
    let run = try LawsCase(seed: seed, shapes: shapes)
    lock.withLock { newest = newest.suffix(Self.most - 1) + [(seed, run)] }
    return run
  }
}
