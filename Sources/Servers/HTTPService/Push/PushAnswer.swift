import Devices
import LightningCoding

/// What the sender of a notification is told.
enum PushAnswer: Hashable, Sendable {
    /// The provider has the message, or it is kept until it does.
    case taken
    /// The device does not exist any more.
    case gone
    /// The token is none.
    case invalid
    /// The provider does not take messages as large as this one.
    case tooLarge
    /// Too much waits for this device already.
    case tooMany
    /// The device has replied.
    case replied([UInt8])
    /// The device cannot reply; the text is for the payer.
    case notAnswered(String)
    /// The device has not replied.
    case silent
    /// The message was not taken; the text is for the log.
    case failed(String)

    init(_ outcome: PushOutcome) {
        switch outcome {
        case .accepted: self = .taken
        case .gone: self = .gone
        case .parked(let reason), .refused(let reason), .later(_, let reason), .paused(_, let reason):
            self = .failed(reason)
        case .tooLarge: self = .tooLarge
        }
    }

    init(_ fault: NoRecipient) {
        switch fault {
        case .gone: self = .gone
        case .invalid: self = .invalid
        case .noProvider, .ledger: self = .failed(fault.reason)
        }
    }
}

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

    var payload: [UInt8] {
        var object: JSONObject = ["platform": .string(platform.rawValue), "token": .string(token)]
        if let appData = content.appData { object.append("app_data", .string(appData)) }
        object.append("body", .string(JSONValue.object(body).serialized()))
        return JSONValue.object(object).serializedBytes()
    }
}
