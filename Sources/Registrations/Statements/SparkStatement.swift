public import Contracts
public import LNURL
public import LightningCoding
public import LightningCrypto

/// What the wallets of Breez's Spark SDK sign, version 2: lines, joined by line feeds, none at the end.
public enum SparkStatement: Hashable, Sendable {
    /// Have that name, with that text for payers.
    case register(AddressName, description: String)
    /// Give the name up.
    case unregister(AddressName)
    /// Learn what is registered.
    case recover
    /// Learn whether the name is free for the key.
    case available(AddressName)
    /// Give the name to another key: the present owner's part.
    case transferFrom(AddressName, to: PublicKey)
    /// Have the name from another key: the new owner's part.
    case transferTo(AddressName, from: PublicKey, description: String)

    /// How far a statement's time may be from ours, in seconds, in either direction.
    public static let tolerance: UInt64 = 600
    /// The longest description, in bytes.
    public static let maximumDescription = 255
    /// The first line.
    static let version = "breez-lnurl:v2"

    /// The text that a key signs. A description enters as the SHA-256 of its bytes, so that no line can hold another.
    public func text(by key: PublicKey, at domain: String, time: UInt64) -> String {
        let lines: [String] =
            switch self {
            case .register(let name, let description): ["register", domain, name.text, Self.digest(description)]
            case .unregister(let name): ["unregister", domain, name.text]
            case .recover: ["recover", domain, key.hexadecimal]
            case .available(let name): ["available", domain, key.hexadecimal, name.text]
            case .transferFrom(let name, let successor):
                ["transfer-from", domain, name.text, key.hexadecimal, successor.hexadecimal]
            case .transferTo(let name, let owner, let description):
                [
                    "transfer-to", domain, name.text, owner.hexadecimal, key.hexadecimal, Self.digest(description),
                ]
            }
        return ([Self.version] + lines + [String(time)]).joined(separator: "\n")
    }

    private static func digest(_ description: String) -> String {
        Hexadecimal.encode(SHA256.hash(description.utf8))
    }

    /// Checks a signature: ECDSA in DER, in hexadecimal, over the SHA-256 of the text.
    ///
    /// - Returns: what prevents that the statement is used again.
    /// - Throws: `clock`, then `signature`.
    public func claim(
        signed signature: String, by key: PublicKey, at domain: String, time: UInt64, now: UnixTime
    ) throws(StatementFault) -> StatementClaim {
        try Self.checkTime(time, now: now)
        let text = text(by: key, at: domain, time: time)
        guard let bytes = try? Hexadecimal.decode(signature), let signature = try? ECDSASignature(der: bytes),
            key.verifies(signature, of: SHA256.hash(text.utf8))
        else { throw .signature }
        return StatementClaim(
            digest: SHA256.hash("\(key.hexadecimal)\0\(text)".utf8),
            expiresAt: UnixTime(time).adding(seconds: Self.tolerance))
    }

    private static func checkTime(_ time: UInt64, now: UnixTime) throws(StatementFault) {
        let ahead = Int64(clamping: time).subtractingReportingOverflow(Int64(clamping: now.seconds))
        guard !ahead.overflow, ahead.partialValue.magnitude <= tolerance else {
            throw .clock(ahead: ahead.overflow ? .max : ahead.partialValue)
        }
    }
}

extension SparkStatement {
    /// A name as it is signed: without spaces around it, in lower case.
    public static func name(_ text: String) throws(StatementFault) -> AddressName {
        try AddressName(registering: String(decoding: text.utf8.trimmed, as: UTF8.self))
    }

    /// A description, unless it is too long.
    public static func description(_ text: String) throws(StatementFault) -> String {
        guard text.utf8.count <= maximumDescription, !text.utf8.contains(0) else { throw .descriptionTooLong }
        return text
    }

    /// A key as in paths and bodies, in hexadecimal.
    public static func key(_ text: some StringProtocol) throws(StatementFault) -> PublicKey {
        try rethrowing(PublicKey(hexadecimal: text), as: StatementFault.key)
    }
}
