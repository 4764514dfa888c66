// SPDX-License-Identifier: MIT
import Foundation

/// A replacement of Microsoft's token service that answers every request of the process, without a network.
final class TokenService: URLProtocol {
  /// A request for tokens: the fields of its form.
  typealias Form = [String: String]

  private static let lock = NSLock()
  nonisolated(unsafe) private static var received: [Form] = []
  nonisolated(unsafe) private static var clientInfo = ""

  /// The requests for tokens since the last time, in their order.
  static func takeForms() -> [Form] {
    lock.withLock {
      defer { received = [] }
      return received
    }
  }

  /// Makes MSAL ask here, whoever the next answer is for.
  ///
  /// - Parameter homeAccountID: the account of the next answers, as `uid.utid`.
  static func answer(for homeAccountID: String) {
    let parts = homeAccountID.split(separator: ".").map(String.init)
    let info = ["uid": parts.first ?? "", "utid": parts.last ?? ""]
    lock.withLock { clientInfo = base64URL(info) }
    _ = installed
  }

  /// MSAL makes its session with the default configuration; the protocol classes go into each of them.
  private static let installed: Void = {
    let selector = NSSelectorFromString("defaultSessionConfiguration")
    let replacement = #selector(URLSessionConfiguration.answeredConfiguration)
    if let old = class_getClassMethod(URLSessionConfiguration.self, selector),
      let new = class_getClassMethod(URLSessionConfiguration.self, replacement)
    {
      method_exchangeImplementations(old, new)
    }
  }()

  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  override func stopLoading() {}

  override func startLoading() {
    guard let url = request.url,
      let response = HTTPURLResponse(
        url: url, statusCode: 200, httpVersion: "HTTP/1.1",
        headerFields: ["Content-Type": "application/json"]),
      let body = try? JSONSerialization.data(withJSONObject: answer(to: url))
    else { return }
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: body)
    client?.urlProtocolDidFinishLoading(self)
  }

  private func answer(to url: URL) -> [String: Any] {
    let host = "https://login.microsoftonline.com"
    if url.path.hasSuffix("/discovery/instance") {
      return [
        "tenant_discovery_endpoint": "\(host)/common/v2.0/.well-known/openid-configuration",
        "api-version": "1.1",
        "metadata": [
          [
            "preferred_network": "login.microsoftonline.com",
            "preferred_cache": "login.windows.net",
            "aliases": [
              "login.microsoftonline.com", "login.windows.net", "login.microsoft.com",
              "sts.windows.net",
            ],
          ]
        ],
      ]
    }
    let tenant = url.pathComponents.dropFirst().first ?? "common"
    if url.path.hasSuffix("/openid-configuration") {
      return [
        "authorization_endpoint": "\(host)/\(tenant)/oauth2/v2.0/authorize",
        "token_endpoint": "\(host)/\(tenant)/oauth2/v2.0/token",
        "issuer": "\(host)/\(tenant)/v2.0",
      ]
    }
    return tokens()
  }

  private func tokens() -> [String: Any] {
    let form = Self.form(of: request)
    let info = Self.lock.withLock { () -> String in
      Self.received.append(form)
      return Self.clientInfo
    }
    let account = Self.object(info)
    let claims = [
      "aud": form["client_id"] ?? "", "oid": account["uid"] ?? "", "tid": account["utid"] ?? "",
      "sub": "synthetic-sub", "preferred_username": "answered@contoso.com", "ver": "2.0",
      "iss": "https://login.microsoftonline.com/\(account["utid"] ?? "")/v2.0",
    ]
    return [
      "token_type": "Bearer", "scope": form["scope"] ?? "", "expires_in": 3600,
      "ext_expires_in": 3600, "access_token": "synthetic-at-answered",
      "refresh_token": "synthetic-rt-answered", "client_info": info,
      "id_token": [Self.base64URL(["alg": "none"]), Self.base64URL(claims), "synthetic"]
        .joined(separator: "."),
    ]
  }

  /// The fields of a form; a protocol gets the body as a stream.
  private static func form(of request: URLRequest) -> Form {
    var body = request.httpBody ?? Data()
    if let stream = request.httpBodyStream {
      stream.open()
      defer { stream.close() }
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = stream.read(&buffer, maxLength: buffer.count)
        guard count > 0 else { break }
        body.append(contentsOf: buffer.prefix(count))
      }
    }
    var components = URLComponents()
    components.percentEncodedQuery = String(decoding: body, as: UTF8.self)
      .replacingOccurrences(of: "+", with: "%20")
    let fields = (components.queryItems ?? []).map { ($0.name, $0.value ?? "") }
    return Dictionary(fields) { first, _ in first }
  }

  private static func base64URL(_ object: [String: String]) -> String {
    let data = (try? JSONSerialization.data(withJSONObject: object)) ?? Data()
    return data.base64EncodedString().replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
  }

  private static func object(_ text: String) -> [String: String] {
    var text = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(
      of: "_", with: "/")
    text += String(repeating: "=", count: (4 - text.count % 4) % 4)
    let data = Data(base64Encoded: text) ?? Data()
    return (try? JSONSerialization.jsonObject(with: data) as? [String: String]) ?? [:]
  }
}

extension URLSessionConfiguration {
  /// The default configuration, by the exchanged method, with the answering protocol in it.
  @objc dynamic class func answeredConfiguration() -> URLSessionConfiguration {
    // After the exchange this name is the system's own method.
    let configuration = answeredConfiguration()
    configuration.protocolClasses = [TokenService.self] + (configuration.protocolClasses ?? [])
    return configuration
  }
}
