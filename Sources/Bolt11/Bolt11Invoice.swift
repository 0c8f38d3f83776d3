public import LightningCrypto

/// A correct invoice, signed by its payee. One that breaks a rule cannot exist.
@dynamicMemberLookup
public struct Bolt11Invoice: Hashable, Sendable {
    /// The invoice in lower case.
    public let text: String
    /// All that it says.
    public let contents: Bolt11Contents
    /// The node that signed it and is to be paid.
    public let payee: PublicKey
    /// R, S and recovery id over the human-readable part and all fields.
    public let signature: RecoverableSignature

    /// Whether the invoice itself names the payee (`n`); else the signature tells.
    public var isPayeeStated: Bool { contents.statedPayee != nil }

    /// Reads an invoice in either case and checks its signature. Throws the first rule that it breaks.
    public init(_ text: some StringProtocol) throws(Bolt11Fault) {
        self = try UnverifiedBolt11Invoice(text).verified()
    }

    /// The signature must have been checked, or just been made.
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

    /// Equal invoices have the same text, in whichever case they came.
    public static func == (left: Bolt11Invoice, right: Bolt11Invoice) -> Bool {
        left.text == right.text
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }
}
