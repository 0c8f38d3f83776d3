import LightningCoding
import LoopbackServer

/// A request as the server of these tests reads it; a fault may change it first.
struct ServedRequest {
    let method: String
    let path: String
    let host: String
    var items: [(name: String, value: String)]
    /// How many requests came before.
    var number = 0

    init(_ request: LoopbackRequest) {
        method = request.method
        path = request.path
        host = request.header("host") ?? ""
        items = (try? HTTPURL("http://x" + request.target))?.queryItems ?? []
        let body = (try? JSONValue(parsing: request.body))?.object?.members ?? []
        items += body.map { ($0.key, $0.value.string ?? $0.value.serialized()) }
    }

    /// The last segment of the path as sent.
    var name: String { path.split(separator: "/").last.map(String.init) ?? "" }
    var isInfo: Bool { path.hasPrefix("/.well-known/lnurlp/") }
    var isCallback: Bool { path.hasPrefix("/callback") && method != "OPTIONS" }
    var isVerify: Bool { path.hasPrefix("/verify/") }
    var isZap: Bool { self["nostr"] != nil }

    /// The value of the only parameter of that name.
    subscript(_ name: String) -> String? {
        get { items.first { $0.name == name }?.value }
        set {
            items.removeAll { $0.name == name }
            if let newValue { items.append((name, newValue)) }
        }
    }
}

/// An answer; a fault may change it.
struct ServedAnswer {
    var status = 200
    var headers = ["Content-Type: application/json", "Access-Control-Allow-Origin: *", "Cache-Control: no-store"]
    var body: JSONObject
    /// What is sent in place of the body.
    var raw: [UInt8]?
    /// Otherwise the server hangs up.
    var isSent = true

    static func error(_ reason: String) -> ServedAnswer {
        ServedAnswer(body: ["status": "ERROR", "reason": .string(reason)])
    }

    var isError: Bool { body["status"] == "ERROR" }

    mutating func drop(_ field: String) { headers.removeAll { $0.hasPrefix(field + ":") } }

    mutating func replace(_ field: String, _ value: String) {
        drop(field)
        headers.append("\(field): \(value)")
    }

    var loopback: LoopbackAnswer {
        let bytes = raw ?? JSONValue.object(body).serializedBytes()
        let head = ["HTTP/1.1 \(status) -", "Content-Length: \(bytes.count)"] + headers
        return LoopbackAnswer(bytes: Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + bytes)
    }
}
