public import LightningCoding

/// What an invoice states, before the rules for its contents are applied: for showing one that breaks them, such as an
/// invoice from before payment secrets. Never enough to pay.
public struct Bolt11Outline: Sendable {
    /// The network to pay on.
    public let network: Network
    /// What is asked for; nil for any amount.
    public let amount: Millisatoshi?
    /// When the invoice was made.
    public let timestamp: UnixTime
    /// Every tagged field, in the order of the invoice, those that readers skip included.
    public let fields: [Bolt11Field]

    /// What the signature is over.
    let signed: (prefix: String, groups: ArraySlice<UInt8>)
    /// The groups of the signature.
    let signature: ArraySlice<UInt8>

    /// Reads an invoice in either case; its signature is not looked at. Throws when it is not readable as an invoice.
    public init(_ text: some StringProtocol) throws(Bolt11Fault) {
        let (prefix, groups) = try UnverifiedBolt11Invoice.spelled(text)
        let signatureStart = groups.count - UnverifiedBolt11Invoice.signatureLength
        guard signatureStart >= UnverifiedBolt11Invoice.timestampLength else { throw .tooShort }
        let signed = groups[..<signatureStart]
        let head = try HumanReadablePart(parsing: prefix)
        var reader = GroupReader(signed)
        guard let timestamp = reader.readNumber(UnverifiedBolt11Invoice.timestampLength) else { throw .tooShort }
        network = head.network
        amount = head.amount
        self.timestamp = UnixTime(timestamp)
        fields = try Bolt11Field.read(all: signed.dropFirst(UnverifiedBolt11Invoice.timestampLength))
        self.signed = (prefix, signed)
        signature = groups[signatureStart...]
    }
}
