import LightningCoding
import ResponderModel

/// What a request to breez-lnurl asks for, and with it what is signed.
package enum BreezOperation: String, CaseIterable, Hashable, Sendable {
    /// Register a webhook, and perhaps a name and an offer.
    case register
    /// Remove the registration.
    case unregister
    /// Learn what is registered.
    case recover
    /// Register a name for an offer.
    case registerOffer = "register-offer"
    /// Remove the offer.
    case unregisterOffer = "unregister-offer"
    /// Learn the name of an offer.
    case recoverOffer = "recover-offer"

    /// How far a statement's time may be from ours, in seconds, in either direction.
    package static let tolerance: UInt64 = 60

    /// The text that is signed. Its parts are joined by hyphens, and none is escaped.
    ///
    /// | operation | text |
    /// |---|---|
    /// | register | time, webhook URL, name, offer; without a name neither name nor offer |
    /// | unregister, recover | time, webhook URL |
    /// | register an offer | time, name, offer |
    /// | unregister or recover an offer | time, offer |
    package func text(of request: BreezRequest) -> String {
        var parts = [String(request.time)]
        switch self {
        case .register:
            parts.append(request.webhook)
            if let name = request.username { parts += [name] + (request.offer.map { [$0] } ?? []) }
        case .unregister, .recover: parts.append(request.webhook)
        case .registerOffer: parts += [request.username ?? "", request.offer ?? ""]
        case .unregisterOffer, .recoverOffer: parts.append(request.offer ?? "")
        }
        return parts.joined(separator: "-")
    }

    /// Whether it may change a registration.
    package var isChange: Bool { uses.contains(.change) }

    /// What its text is used up for.
    var uses: [StatementClaim.Use] {
        switch self {
        case .register, .unregister, .registerOffer, .unregisterOffer: [.change, .read]
        case .recover, .recoverOffer: [.read]
        }
    }
}
