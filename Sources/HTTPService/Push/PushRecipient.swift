import Contracts
import LightningCoding
import LightningCrypto
import Notifications
import Push

/// Whom a notification is for.
enum PushRecipient: Sendable {
    /// A registered device, and where it is.
    case device(Device, PushTarget)
    /// Whoever has a token of a provider.
    case token(PushTarget)

    /// Where it is.
    var target: PushTarget {
        switch self {
        case .device(_, let target), .token(let target): target
        }
    }

    /// Stands for the place: the same for all that is sent there, however its token is written.
    var digest: [UInt8] {
        let place =
            switch target {
            case .apns(let token, _): "apns \(token)"
            case .fcm(let token, _): "fcm \(token)"
            case .webPush(let subscription): "web \(subscription.endpoint.text)"
            }
        return SHA256.hash(place.utf8)
    }

    /// With what the ids of events for it begin, after what is counted together: registered devices have a backlog of their
    /// own, so have tokens of Apple and Google, and subscriptions, at whatever hosts their senders name.
    var line: PushLine {
        let place = Hexadecimal.encode(digest.prefix(16)) + "-"
        switch self {
        case .device: return PushLine(sort: "push-device-", host: nil, place: "push-device-" + place)
        case .token(.webPush(let subscription)):
            let host = "push-web-\(Hexadecimal.encode(SHA256.hash(subscription.endpoint.host.utf8).prefix(8)))-"
            return PushLine(sort: "push-web-", host: host, place: host + place)
        case .token: return PushLine(sort: "push-token-", host: nil, place: "push-token-" + place)
        }
    }

    /// What becomes of an event for it. Whoever posts may name any token: what its provider refuses is not kept for the operator,
    /// unless they can correct it.
    func end(_ outcome: PushOutcome) -> OutboxOutcome {
        switch (self, outcome) {
        case (.token, .refused(let reason)): .dropped(reason)
        case (.token, .tooLarge): .dropped("the message is too large for the provider")
        default: OutboxOutcome(outcome)
        }
    }
}

/// The ids of events that are counted together, by their beginnings, each the beginning of the next.
struct PushLine: Sendable {
    /// Of all of its sort.
    let sort: String
    /// Of those for a push service that senders have named.
    let host: String?
    /// Of those for one place.
    let place: String
}

/// Why a notification has no recipient.
enum NoRecipient: Error {
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
