// SPDX-License-Identifier: MIT

// The declarations of SwiftUI and what it exports that Tests/Apple/Check uses, so that the app can be type-checked where
// there is none. Nothing here does anything.

@_exported import Foundation
@_exported import UIKit

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError() }
}

/// Every view of the stub.
public struct Anything: View {
  public var body: Never { fatalError() }
}

@resultBuilder public enum ViewBuilder {
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> Anything {
    Anything()
  }
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildOptional(_ content: Anything?) -> Anything { Anything() }
}

public protocol Scene {}

@resultBuilder public enum SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
  @MainActor @preconcurrency init()
}

extension App {
  @MainActor public static func main() {}
}

public struct WindowGroup<Content: View>: Scene {
  public nonisolated init(@ViewBuilder content: () -> Content) {}
}

@propertyWrapper public struct State<Value> {
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
}

extension State where Value: ExpressibleByNilLiteral {
  public init() { self.init(wrappedValue: nil) }
}

public struct List<Content: View>: View {
  public init(@ViewBuilder content: () -> Content) {}
  public var body: Never { fatalError() }
}

public struct Section<Content: View>: View {
  public init(@ViewBuilder content: () -> Content) {}
  public var body: Never { fatalError() }
}

public struct Text: View {
  public init<Content: StringProtocol>(_ content: Content) {}
  public var body: Never { fatalError() }
}

public struct Button: View {
  public init<Title: StringProtocol>(_ title: Title, action: @escaping @MainActor () -> Void) {}
  public var body: Never { fatalError() }
}

public struct ForEach<Element, Content: View>: View {
  public init(_ data: [Element], @ViewBuilder content: @escaping (Element) -> Content)
  where Element: Identifiable {}
  public init<ID: Hashable>(
    _ data: [Element], id: KeyPath<Element, ID>,
    @ViewBuilder content: @escaping (Element) -> Content
  ) {}
  public var body: Never { fatalError() }
}

public struct Font: Sendable {
  public static let caption = Font()
}

extension View {
  public func font(_ font: Font?) -> some View { Anything() }
  public func disabled(_ disabled: Bool) -> some View { Anything() }
  public func task(_ action: @escaping @Sendable @isolated(any) () async -> Void) -> some View {
    Anything()
  }
}
