import LightningCoding
import Push

/// The payload of outbox work that sends a push message: what is understood of the request, in its own form, so that it is
/// read by the same rules.
extension NotifyRequest {
    /// Reads a payload; nil when it is invalid.
    init?(payload: [UInt8]) {
        guard let json = try? JSONValue(parsing: payload), let body = json["body"]?.string else { return nil }
        let query = ["platform", "token", "app_data"].compactMap { name in
            json[name]?.string.map { (name: name, value: $0) }
        }
        try? self.init(query: query, body: Array(body.utf8))
    }

    /// The payload.
    var payload: [UInt8] {
        var object: JSONObject = ["platform": .string(platform.rawValue), "token": .string(token)]
        if let appData = content.appData { object.append("app_data", .string(appData)) }
        object.append("body", .string(JSONValue.object(body).serialized()))
        return JSONValue.object(object).serializedBytes()
    }
}
