import LightningCoding
import LightningCrypto
import ResponderCore
import ResponderModel

enum PushRecipient: Sendable {
    /// A registered device, and where it is.
    case device(Device, PushAddress)
    /// Whoever has a token of a provider.
    case token(PushAddress)

    var target: PushAddress {
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

    /// What its events are about: `device/…/`, `token/…/` or `web/HOST/…/`. Registered devices are counted apart, so are tokens of
    /// Apple and Google, and subscriptions, whose hosts anybody may name.
    var subject: OutboxSubject {
        let digest = Hexadecimal.encode(digest.prefix(16))
        return switch self {
        case .device: OutboxSubject("device", digest)
        case .token(.webPush(let subscription)): OutboxSubject("web", subscription.endpoint.host, digest)
        case .token: OutboxSubject("token", digest)
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

/// Why a notification has no recipient.
enum NoRecipient: LedgerFaultConvertible {
    /// The device no longer exists.
    case gone
    /// The token is none.
    case invalid
    case noProvider
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
