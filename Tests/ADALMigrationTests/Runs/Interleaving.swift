// SPDX-License-Identifier: MIT
import KeychainItems

/// A keychain that several processes use, one operation at a time, in every order that can be.
///
/// The next step of a process depends only on the answers to its operations so far. For each history of answers the
/// process is started again, is given those answers, and stops at its next operation.
struct Interleaving {
  typealias Program = (ProcessStore) throws -> Void

  /// The answer to one operation of a process.
  enum Answer: Hashable {
    /// All items, by the number of the keychain's contents in ``contents``.
    case read(Int)
    case added
    case taken
  }

  /// Everything that decides what can come next.
  struct State: Hashable {
    var content: Int
    var histories: [[Answer]]
  }

  /// All contents that the keychain can come to have.
  private(set) var contents: [Set<KeychainItem>] = []
  /// The numbers of those that it can have when all processes have ended.
  private(set) var ends: Set<Int> = []
  /// How many states there are.
  private(set) var states = 0
  /// In how many orders the operations can come.
  private(set) var orders = 0.0
  /// The errors of the processes.
  private(set) var failures: Set<String> = []

  private var numbers: [Set<KeychainItem>: Int] = [:]
  private let programs: [Program]
  /// The number of each process's program.
  private let processes: [Int]
  /// The next operation of each program after a history.
  private var operations: [[[Answer]: ProcessStore.Operation]]

  /// Explores all of them.
  ///
  /// - Parameter processes: the number of each process's program in `programs`.
  init(_ items: [KeychainItem], _ programs: [Program], processes: [Int]) {
    self.programs = programs
    self.processes = processes
    operations = Array(repeating: [:], count: programs.count)
    let start = State(
      content: number(of: Set(items)), histories: processes.map { _ in [] })
    // All states after as many operations, with in how many orders each can come about.
    var level: [State: Double] = [start: 1]
    while !level.isEmpty {
      var next: [State: Double] = [:]
      for (state, orders) in level {
        let following = following(state)
        for state in following { next[state, default: 0] += orders }
        guard following.isEmpty else { continue }
        ends.insert(state.content)
        self.orders += orders
      }
      states += level.count
      level = next
    }
  }

  private mutating func number(of items: Set<KeychainItem>) -> Int {
    if let number = numbers[items] { return number }
    numbers[items] = contents.count
    contents.append(items)
    return contents.count - 1
  }

  /// The states after one more operation; none when all processes have ended.
  private mutating func following(_ state: State) -> [State] {
    processes.indices.compactMap { process in
      var next = state
      let answer: Answer
      switch operation(of: processes[process], after: state.histories[process]) {
      case .end: return nil
      case .failure(let failure):
        failures.insert(failure)
        return nil
      case .read: answer = .read(state.content)
      case .add(let item, let rest):
        let items = contents[state.content]
        let isTaken = items.contains { $0.key == item.key }
        if !isTaken { next.content = number(of: items.union([item])) }
        answer = isTaken ? .taken : .added
        // Whatever became of it, the rest is added too.
        if let second = rest.first {
          let history = state.histories[process] + [answer]
          operations[processes[process]][history] = .add(second, then: rest.dropFirst())
        }
      case .save(let item):
        let others = contents[state.content].filter { $0.key != item.key }
        next.content = number(of: others.union([item]))
        answer = .added
      }
      next.histories[process].append(answer)
      return next
    }
  }

  private mutating func operation(
    of program: Int, after history: [Answer]
  ) -> ProcessStore.Operation {
    if let known = operations[program][history] { return known }
    let store = ProcessStore(history, contents)
    var operation: ProcessStore.Operation
    do {
      try programs[program](store)
      operation = .end
    } catch { operation = .failure("\(error)") }
    operation = store.next ?? operation
    operations[program][history] = operation
    return operation
  }
}

/// The keychain as one process sees it: reading is one operation, each addition another.
final class ProcessStore: ItemStore, @unchecked Sendable {
  enum Operation {
    case read
    case add(KeychainItem, then: ArraySlice<KeychainItem>)
    case save(KeychainItem)
    case end
    case failure(String)
  }

  private struct NoAnswer: Error {}

  // Only the one thread of a test uses it.
  private var answers: ArraySlice<Interleaving.Answer>
  private let contents: [Set<KeychainItem>]
  /// The first operation for which there is no answer yet.
  private(set) var next: Operation?

  init(_ answers: [Interleaving.Answer], _ contents: [Set<KeychainItem>]) {
    self.answers = answers[...]
    self.contents = contents
  }

  func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
    guard case .read(let number) = try answer(to: .read) else { throw NoAnswer() }
    for item in contents[number].sorted(by: { $0.key < $1.key }) { try body(item) }
  }

  func add(_ items: [KeychainItem]) throws -> [KeychainItem] {
    try items.indices.filter { index in
      try answer(to: .add(items[index], then: items[(index + 1)...])) == .taken
    }.map { items[$0] }
  }

  /// A save of MSAL's: afterwards the given item is there in any case.
  func save(_ item: KeychainItem) throws { _ = try answer(to: .save(item)) }

  private func answer(to operation: Operation) throws -> Interleaving.Answer {
    guard next == nil, let answer = answers.popFirst() else {
      next = next ?? operation
      throw NoAnswer()
    }
    return answer
  }
}
