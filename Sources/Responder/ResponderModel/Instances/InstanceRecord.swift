package import LNURL
package import LightningCoding
package import LightningCrypto

package struct InstanceRecord: Hashable, Sendable {
    package let id: InstanceID
    package let name: InstanceName
    package let process: Int32
    package let version: String
    package let startedAt: UnixTime
    package var payers: ListenAddress
    package var admin: ListenAddress
    /// The URL that it gives out for the main domain; nil for a version that does not tell.
    package let publicURL: PublicURL?
    package let keys: KeysFingerprint
    /// Whether it has a settlement webhook for all accounts.
    package let tellsSettlementsOfAll: Bool

    package init(
        id: InstanceID, name: InstanceName, process: Int32, version: String, startedAt: UnixTime,
        payers: ListenAddress, admin: ListenAddress, publicURL: PublicURL?, keys: KeysFingerprint,
        tellsSettlementsOfAll: Bool = false
    ) {
        self.id = id
        self.name = name
        self.process = process
        self.version = version
        self.startedAt = startedAt
        self.payers = payers
        self.admin = admin
        self.publicURL = publicURL
        self.keys = keys
        self.tellsSettlementsOfAll = tellsSettlementsOfAll
    }
}

package struct InstanceStatus: Hashable, Sendable {
    package let record: InstanceRecord
    /// When it was last heard of, by the ledger's clock.
    package let seenAt: UnixTime
    package let leases: [LeaseName]

    /// Whether it was heard of lately. One that was killed stays listed until another instance forgets it.
    package func isAlive(at now: UnixTime, within silence: UInt64 = Self.silence) -> Bool {
        now.seconds(since: seenAt) <= silence
    }

    /// How long a running instance is silent at most, in seconds: twice the longest pause between heartbeats.
    package static let silence: UInt64 = 120

    package init(record: InstanceRecord, seenAt: UnixTime, leases: [LeaseName]) {
        self.record = record
        self.seenAt = seenAt
        self.leases = leases
    }
}

/// Tells whether two installations have the same keys, without telling anything about the keys.
package struct KeysFingerprint: Hashable, Sendable {
    /// Its 32 bytes.
    package let bytes: [UInt8]

    /// Reads a stored one; nil when it does not have 32 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Of keys in this order: each authenticates the code of those before it.
    package init(of keys: [SecretBytes]) {
        bytes = keys.reduce(SHA256.hash(Array("lightning-responder keys".utf8))) {
            HMACSHA256.authenticate($0, key: $1)
        }
    }
}

package protocol SharedRates: Sendable {
    /// Takes one of the requests that a key has: `burst` at once after a pause, and one more after each interval.
    ///
    /// - Parameters:
    ///   - key: up to 1,024 bytes.
    ///   - interval: 1 nanosecond to 1 day.
    ///   - burst: 1 to 1,000,000.
    /// - Returns: nil when there was one; otherwise how long until there is one, and nothing is taken.
    func take(_ key: [UInt8], every interval: Duration, burst: Int) async throws(LedgerFault) -> Duration?

    func putBack(_ key: [UInt8], every interval: Duration) async throws(LedgerFault)
}
