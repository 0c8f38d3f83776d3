package import LNURL
package import LightningCoding
package import LightningCrypto

/// An app user's registration in a domain: where the device that answers payers is asked, and the name by which payers
/// find it.
package struct Registration: Hashable, Sendable {
    package let id: RegistrationID
    /// The name in its domain; nil while there is none.
    package var name: AddressName?
    /// Where questions are posted; nil while the wallet has not said so.
    package var webhook: WebhookURL?
    /// The BOLT12 offer, as text.
    package var offer: String?
    package let createdAt: UnixTime
    package var refreshedAt: UnixTime
    /// Differs after every change, also from those of an earlier registration of the key; 0 before it is stored.
    package var version: UInt64

    package init(
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
    package var account: AccountID? { name.map { AccountID($0, at: id.domain) } }
}

/// What identifies a registration: a key signs for each domain by itself.
package struct RegistrationID: Hashable, Sendable {
    /// The wallet's key, which signs every change. Payers may use it in place of a name.
    package let key: PublicKey
    package let domain: DomainName

    package init(_ key: PublicKey, at domain: DomainName) {
        self.key = key
        self.domain = domain
    }
}

/// Tells whether a key is the one that gave a name up, without storing that key: SHA-256 of its 33 bytes.
package struct OwnerDigest: Hashable, Sendable {
    /// 32 bytes.
    package let bytes: [UInt8]

    package init(of key: PublicKey) {
        bytes = SHA256.hash(key.bytes)
    }

    /// Exactly 32 bytes; nil otherwise.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == SHA256.byteCount else { return nil }
        self.bytes = bytes
    }
}

/// A signed statement that must not be used again.
package struct StatementClaim: Hashable, Sendable {
    package let use: Use
    /// SHA-256 of what it orders, for whom, and its text: not of the signature, of which one statement can have several.
    package let digest: [UInt8]
    /// From when its own time makes it invalid, so that it need not be remembered.
    package let expiresAt: UnixTime

    package enum Use: String, Hashable, Sendable {
        case change
        case read
    }

    package init(_ use: Use, digest: [UInt8], expiresAt: UnixTime) {
        self.use = use
        self.digest = digest
        self.expiresAt = expiresAt
    }
}

/// Where an app user's questions are posted. Such URLs often hold the token by which a device is reached, so only its
/// origin is ever printed.
package struct WebhookURL: Hashable, Sendable {
    /// The URL, with its secrets.
    package let url: HTTPURL

    /// The longest URL, in bytes.
    package static let maximumCount = 2048

    /// Parses a URL, which is kept as written.
    package init(_ text: some StringProtocol) throws(URLFault) {
        guard text.utf8.count <= Self.maximumCount else { throw .tooLong }
        url = try HTTPURL(text)
    }

    /// The URL as it is written in requests.
    package var text: String { url.text }

    /// The URL without path and query: `https://example.com`.
    package var origin: String { url.scheme.rawValue + "://" + url.authority }
}

extension WebhookURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { origin }

    /// The same.
    package var debugDescription: String { origin }

    /// Shows nothing to reflection (`dump`, failed expectations).
    package var customMirror: Mirror { Mirror(self, children: []) }
}
