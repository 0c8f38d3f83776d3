public import LightningCoding
public import LightningCrypto

/// The first response of LNURL-pay (LUD-06): what may be sent, and where to request the invoice.
public struct PayRequest: Hashable, Sendable {
    /// The URL to request an invoice from.
    public let callback: HTTPURL
    /// The minimum amount, in msat; at least 1.
    public let minSendable: Millisatoshi
    /// The maximum amount, in msat; not below the minimum.
    public let maxSendable: Millisatoshi
    /// The metadata string, exactly as served.
    public let metadata: String
    /// The maximum length of a comment in characters (LUD-12); 0 for none.
    public let commentAllowed: Int
    /// The data requested about the payer (LUD-18); nil when the service does not support it.
    public let payerData: PayerDataSpec?
    /// The key that signs the receipts of zaps (NIP-57); nil when the recipient takes none.
    public let nostrKey: XOnlyPublicKey?

    /// Creates a response. The metadata is not parsed: it is the stored string of `PayMetadata.build`.
    ///
    /// - Throws: `minimumIsZero`, `minimumAboveMaximum`; `missing(.k1)` when a signature is requested without a
    ///   challenge.
    public init(
        callback: HTTPURL,
        minSendable: Millisatoshi,
        maxSendable: Millisatoshi,
        metadata: String,
        commentAllowed: Int = 0,
        payerData: PayerDataSpec? = nil,
        nostrKey: XOnlyPublicKey? = nil
    ) throws(LNURLFault) {
        guard minSendable > .zero else { throw .minimumIsZero }
        guard minSendable <= maxSendable else { throw .minimumAboveMaximum }
        if let payerData, payerData[.auth] != nil, payerData.k1 == nil { throw .missing(.k1) }
        self.callback = callback
        self.minSendable = minSendable
        self.maxSendable = maxSendable
        self.metadata = metadata
        self.commentAllowed = max(0, commentAllowed)
        self.payerData = payerData
        self.nostrKey = nostrKey
    }

    /// The body.
    public var json: JSONValue { json(callback: callback.text) }

    /// The body with another callback: the payer asks another service, which has asked us. Empty members are omitted, since
    /// strict readers refuse unknown ones.
    public func json(callback: String) -> JSONValue {
        var object: JSONObject = [
            "callback": .string(callback),
            "minSendable": .unsigned(minSendable.msat),
            "maxSendable": .unsigned(maxSendable.msat),
            "metadata": .string(metadata),
        ]
        if commentAllowed > 0 { object.append("commentAllowed", .integer(commentAllowed)) }
        if let payerData { object.append("payerData", payerData.json) }
        if let nostrKey {
            object.append("allowsNostr", true)
            object.append("nostrPubkey", .hexadecimal(nostrKey.bytes))
        }
        object.append("tag", .string(LNURLScheme.pay.tag))
        return .object(object)
    }

    /// Parses a service's response.
    public init(json: JSONValue) throws(LNURLFault) {
        let answer = try ServiceResponse(response: json)
        let tag = try answer.text("tag")
        guard tag.isExactly(LNURLScheme.pay.tag) else { throw .wrongTag(tag) }
        let metadata = try answer.text("metadata")
        _ = try rethrowing(PayMetadata(parsing: metadata), as: LNURLFault.metadata)
        let commentAllowed = !answer.has("commentAllowed") ? 0 : try answer.lenientNumber("commentAllowed")
        try self.init(
            callback: answer.url(.callback),
            minSendable: Millisatoshi(answer.lenientNumber("minSendable")),
            maxSendable: Millisatoshi(answer.lenientNumber("maxSendable")),
            metadata: metadata,
            commentAllowed: Int(clamping: commentAllowed),
            payerData: answer.optional("payerData").map(PayerDataSpec.init(json:)),
            nostrKey: json["allowsNostr"]?.bool == true
                ? json["nostrPubkey"]?.string.flatMap { try? XOnlyPublicKey(Hexadecimal.decode($0)) } : nil
        )
    }
}
