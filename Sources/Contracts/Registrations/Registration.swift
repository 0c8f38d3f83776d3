public import LNURL
public import LightningCoding
public import LightningCrypto

/// An app user's registration in a domain: where the device that answers payers is asked, and the name by which payers
/// find it.
public struct Registration: Hashable, Sendable {
    /// The wallet's key and the domain.
    public let id: RegistrationID
    /// The name in its domain; nil while there is none.
    public var name: AddressName?
    /// Where questions are posted; nil while the wallet has not said so.
    public var webhook: WebhookURL?
    /// The BOLT12 offer, as text.
    public var offer: String?
    /// When the key was first registered.
    public let createdAt: UnixTime
    /// When the wallet last registered.
    public var refreshedAt: UnixTime
    /// Differs after every change, also from those of an earlier registration of the key; 0 before it is stored.
    public var version: UInt64

    /// Creates a registration.
    public init(
        id: RegistrationID, name: AddressName? = nil, webhook: WebhookURL? = nil, offer: String? = nil,
        createdAt: UnixTime, refreshedAt: UnixTime, version: UInt64 = 0
    ) {
        self.id = id
        self.name = name
        self.webhook = webhook
        self.offer = offer
        self.createdAt = createdAt
        self.refreshedAt = refreshedAt
        self.version = version
    }
}

extension Registration {
    /// The account that payers see; nil without a name.
    public var account: AccountID? { name.map { AccountID($0, at: id.domain) } }
}

/// What identifies a registration: a key signs for each domain by itself.
public struct RegistrationID: Hashable, Sendable {
    /// The wallet's key, which signs every change. Payers may use it in place of a name.
    public let key: PublicKey
    /// The domain.
    public let domain: DomainName

    /// A key's registration in a domain.
    public init(_ key: PublicKey, at domain: DomainName) {
        self.key = key
        self.domain = domain
    }
}

/// Tells whether a key is the one that gave a name up, without storing that key: SHA-256 of its 33 bytes.
public struct OwnerDigest: Hashable, Sendable {
    /// 32 bytes.
    public let bytes: [UInt8]

    /// The digest of a key.
    public init(of key: PublicKey) {
        bytes = SHA256.hash(key.bytes)
    }

    /// Exactly 32 bytes; nil otherwise.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == SHA256.byteCount else { return nil }
        self.bytes = bytes
    }
}

/// A signed statement that must not be used again.
public struct StatementClaim: Hashable, Sendable {
    /// SHA-256 of what it orders, for whom, and its text: not of the signature, of which one statement can have several.
    public let digest: [UInt8]
    /// From when its own time makes it invalid, so that it need not be remembered.
    public let expiresAt: UnixTime

    /// Creates a claim.
    public init(digest: [UInt8], expiresAt: UnixTime) {
        self.digest = digest
        self.expiresAt = expiresAt
    }
}
