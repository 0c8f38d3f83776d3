import Contracts
import LightningCoding
import LightningCrypto
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
