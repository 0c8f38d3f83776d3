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
