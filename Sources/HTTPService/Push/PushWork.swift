import LightningCoding
import Push

/// The payload of outbox work that sends a push message: the request as received, so that it is read by the same rules.
struct PushWork {
    let request: NotifyRequest
    private let query: [(name: String, value: String)]
    private let body: [UInt8]

    init(query: [(name: String, value: String)], body: [UInt8]) throws(NotifyFault) {
        request = try NotifyRequest(query: query, body: body)
        self.query = query
        self.body = body
    }

    /// Reads a payload; nil when it is invalid.
    init?(payload: [UInt8]) {
        guard let json = try? JSONValue(parsing: payload), let body = json["body"]?.string else { return nil }
        let query = Self.names.compactMap { name in json[name]?.string.map { (name: name, value: $0) } }
        try? self.init(query: query, body: Array(body.utf8))
    }

    /// The payload.
    var payload: [UInt8] {
        var object = JSONObject()
        for name in Self.names {
            if let item = query.first(where: { $0.name.isExactly(name) }) { object.append(name, .string(item.value)) }
        }
        object.append("body", .string(String(decoding: body, as: UTF8.self)))
        return JSONValue.object(object).serializedBytes()
    }

    private static let names = ["platform", "token", "app_data"]
}
