public import LightningCoding
public import LightningCrypto

/// A valid invoice, signed by its payee. An invalid one cannot be created.
@dynamicMemberLookup
public struct Bolt11Invoice: Hashable, Sendable {
    /// The invoice in lower case.
    public let text: String
    /// Its contents.
    public let contents: Bolt11Contents
    /// The node that signed it, to which the payment goes.
    public let payee: PublicKey
    /// R, S and recovery id over the human-readable part and all fields.
    public let signature: RecoverableSignature

    /// Whether the invoice states its payee (`n`); else it is recovered from the signature.
    public var isPayeeStated: Bool { contents.statedPayee != nil }

    /// Parses an invoice in either case and checks its signature. Throws the first broken rule.
    public init(_ text: some StringProtocol) throws(Bolt11Fault) {
        self = try UnverifiedBolt11Invoice(text).verified()
    }

    /// The signature must have been checked, or just been created.
    init(text: String, contents: Bolt11Contents, payee: PublicKey, signature: RecoverableSignature) {
        self.text = text
        self.contents = contents
        self.payee = payee
        self.signature = signature
    }

    /// A member of the contents.
    public subscript<Value>(dynamicMember path: KeyPath<Bolt11Contents, Value>) -> Value {
        contents[keyPath: path]
    }

    /// Invoices are equal when their texts are, ignoring case.
    public static func == (left: Bolt11Invoice, right: Bolt11Invoice) -> Bool {
        left.text == right.text
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }
}

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

/// The hash that an invoice's signature signs (BOLT 11, "Data Part"): the SHA-256 of the human-readable part and the
/// data part without the signature, padded with zero bits to a whole byte.
func signingHash(humanReadablePart: String, groups: ArraySlice<UInt8>) -> [UInt8] {
    SHA256.hash(Array(humanReadablePart.utf8), regroup(groups, from: 5, to: 8, isPadded: true).groups)
}
