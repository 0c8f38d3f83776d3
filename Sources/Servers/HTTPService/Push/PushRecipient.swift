import Devices
import LightningCoding
import LightningCrypto
import ResponderCore
import ResponderModel

/// Whom a notification is for.
enum PushRecipient: Sendable {
    /// A registered device, and where it is.
    case device(Device, PushTarget)
    /// Whoever has a token of a provider.
    case token(PushTarget)

    var target: PushTarget {
        switch self {
        case .device(_, let target), .token(let target): target
        }
    }

    /// SHA-256 of its address, 32 bytes: the same however the token is written.
    var digest: [UInt8] {
        let address =
            switch target {
            case .apns(let token, _): "apns \(token)"
            case .fcm(let token, _): "fcm \(token)"
            case .webPush(let subscription): "web \(subscription.endpoint.text)"
            }
        return SHA256.hash(address.utf8)
    }

    /// How the ids of its events begin. Registered devices are counted apart, so are tokens of Apple and Google, and
    /// subscriptions, whose hosts anybody may name.
    var prefixes: EventPrefixes {
        let device = Hexadecimal.encode(digest.prefix(16)) + "-"
        switch self {
        case .device: return EventPrefixes(kind: "push-device-", host: nil, device: "push-device-" + device)
        case .token(.webPush(let subscription)):
            let host = "push-web-\(Hexadecimal.encode(SHA256.hash(subscription.endpoint.host.utf8).prefix(8)))-"
            return EventPrefixes(kind: "push-web-", host: host, device: host + device)
        case .token: return EventPrefixes(kind: "push-token-", host: nil, device: "push-token-" + device)
        }
    }

    /// What becomes of an event for it. Whoever posts may name any token: what its provider refuses is not kept for the operator,
    /// unless they can correct it.
    func end(_ outcome: PushOutcome, at now: UnixTime) -> OutboxOutcome {
        switch (self, outcome) {
        case (.token, .refused(let reason)): .dropped(reason)
        case (.token, .tooLarge): .dropped("the message is too large for the provider")
        default: OutboxOutcome(outcome, at: now)
        }
    }
}

/// How the ids of events begin that are counted together. Each is a prefix of the next.
struct EventPrefixes: Sendable {
    /// Of all events for registered devices, for tokens, or for subscriptions.
    let kind: String
    /// Of those for one push service that senders have named; nil for other kinds.
    let host: String?
    /// Of those for one device.
    let device: String
}

/// Why a notification has no recipient.
enum NoRecipient: LedgerFaultConvertible {
    /// The device does not exist any more.
    case gone
    /// The token is none.
    case invalid
    /// No provider that takes it is configured.
    case noProvider
    /// The ledger failed.
    case ledger(LedgerFault)
}

extension NoRecipient: ReadableFault {
    var reason: String {
        switch self {
        case .gone: "the device has gone"
        case .invalid: "no push provider has such tokens"
        case .noProvider: "no push provider is configured that takes the device's token"
        case .ledger(let fault): fault.reason
        }
    }
}
