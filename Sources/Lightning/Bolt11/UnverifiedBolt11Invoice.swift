import LightningCoding
public import LightningCrypto

/// An invoice with valid contents whose signature was not checked, so that parsing costs no curve operation. Sufficient
/// for an invoice directly from a trusted node.
@dynamicMemberLookup
public struct UnverifiedBolt11Invoice: Hashable, Sendable {
    /// The invoice in lower case.
    public let text: String
    /// Its contents.
    public let contents: Bolt11Contents
    /// Its claimed signature.
    public let signature: RecoverableSignature

    /// What the signature covers; hashed only when needed.
    private let signed: (prefix: String, groups: ArraySlice<UInt8>)

    /// Parses an invoice in either case. Throws the first broken rule.
    public init(_ text: some StringProtocol) throws(Bolt11Fault) {
        let outline = try Bolt11Outline(text)
        contents = try Bolt11Contents(
            network: outline.network, amount: outline.amount, timestamp: outline.timestamp, fields: outline.fields)
        signature = try Self.signature(outline.signature)
        signed = outline.signed
        self.text = text.lowercased()
    }

    /// Checks the signature: the stated payee's, in low-S form, or else any from which a payee can be recovered.
    public func verified() throws(Bolt11Fault) -> Bolt11Invoice {
        Bolt11Invoice(text: text, contents: contents, payee: try signer(), signature: signature)
    }

    private func signer() throws(Bolt11Fault) -> PublicKey {
        let hash = signingHash(humanReadablePart: signed.prefix, groups: signed.groups)
        guard let payee = contents.statedPayee else {
            guard let key = try? signature.recoveredPublicKey(of: hash) else { throw .invalidSignature }
            return key
        }
        guard signature.ecdsa.isLowS else { throw .highS }
        guard payee.verifies(signature.ecdsa, of: hash) else { throw .invalidSignature }
        return payee
    }

    /// A member of the contents.
    public subscript<Value>(dynamicMember path: KeyPath<Bolt11Contents, Value>) -> Value {
        contents[keyPath: path]
    }

    /// Invoices are equal when their texts are, ignoring case.
    public static func == (left: UnverifiedBolt11Invoice, right: UnverifiedBolt11Invoice) -> Bool {
        left.text == right.text
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }
}

extension UnverifiedBolt11Invoice {
    static let timestampLength = 7
    static let signatureLength = 104

    static func spelled(_ text: some StringProtocol) throws(Bolt11Fault) -> (String, [UInt8]) {
        do {
            let text = try Bech32.decode(text, checksum: .bech32)
            return (text.humanReadablePart, text.groups)
        } catch {
            throw .encoding(error)
        }
    }

    /// 104 groups are 65 bytes: R, S, recovery id.
    private static func signature(_ groups: ArraySlice<UInt8>) throws(Bolt11Fault) -> RecoverableSignature {
        guard let bytes = try? Bech32.bytes(fromGroups: groups), let recoveryID = bytes.last else { throw .tooShort }
        guard recoveryID <= 3 else { throw .invalidRecoveryID }
        guard let signature = try? RecoverableSignature(compact: Array(bytes.dropLast()), recoveryID: recoveryID)
        else { throw .invalidSignature }
        return signature
    }
}
