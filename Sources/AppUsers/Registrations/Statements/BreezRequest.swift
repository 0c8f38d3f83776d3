package import LightningCoding
package import LightningCrypto

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
