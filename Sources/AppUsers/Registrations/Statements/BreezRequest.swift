package import LightningCoding
package import LightningCrypto
import ResponderModel

/// The body of a request to breez-lnurl: every operation takes some of the same members.
package struct BreezRequest: Hashable, Sendable {
    /// The wallet's time, in seconds since 1970.
    package let time: Int64
    /// Where questions are to be posted, as signed.
    package let webhook: String
    /// The name as signed, in either case.
    package let username: String?
    package let offer: String?
    /// The signature in zbase32.
    package let signature: String

    /// Reads a body. What is missing is 0 or empty, as where these requests come from; unknown members are ignored.
    ///
    /// - Throws: `body` when it is not an object, or a member has another type.
    package init(json: JSONValue) throws(StatementFault) {
        guard let object = json.object else { throw .body }
        time = try Self.time(object["time"])
        webhook = try Self.text(object["webhook_url"]) ?? ""
        username = try Self.text(object["username"])
        offer = try Self.text(object["offer"])
        signature = try Self.text(object["signature"]) ?? ""
    }

    private init(time: Int64, webhook: String, username: String?, offer: String?, signature: String) {
        self.time = time
        self.webhook = webhook
        self.username = username
        self.offer = offer
        self.signature = signature
    }

    /// Signs a request for an operation, as a wallet does.
    package static func signed(
        for operation: BreezOperation, webhook: String = "", username: String? = nil, offer: String? = nil,
        at time: UnixTime, by key: SecretKey
    ) throws(CryptoFault) -> BreezRequest {
        func request(_ signature: String) -> BreezRequest {
            BreezRequest(
                time: Int64(clamping: time.seconds), webhook: webhook, username: username, offer: offer,
                signature: signature)
        }
        return request(try LightningMessage.sign(operation.text(of: request("")), with: key))
    }

    package var json: JSONValue {
        [
            "time": .number(JSONNumber(time)), "webhook_url": .string(webhook), "username": .text(username),
            "offer": .text(offer), "signature": .string(signature),
        ]
    }

    private static func time(_ value: JSONValue?) throws(StatementFault) -> Int64 {
        guard let value, !value.isNull else { return 0 }
        guard let time = value.int64 else { throw .body }
        return time
    }

    private static func text(_ value: JSONValue?) throws(StatementFault) -> String? {
        guard let value, !value.isNull else { return nil }
        guard let text = value.string else { throw .body }
        return text
    }
}

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
