import LNURL
package import LightningCoding
package import LightningCrypto
package import ResponderModel
import Testing

extension Sample {
    /// The instance with that number; all use the same keys.
    package static func instance(_ number: UInt8, keys: UInt8 = 1, publicURL: String? = nil) throws -> InstanceRecord {
        InstanceRecord(
            id: try #require(InstanceID("host\(number)-1-0000000\(number)")),
            name: try #require(InstanceName("host\(number)")), process: Int32(number), version: "1.\(number)",
            startedAt: start.adding(seconds: UInt64(number)), payers: ListenAddress(host: "127.0.0.1", port: 8080),
            admin: ListenAddress(host: "::1", port: UInt16(number)),
            publicURL: try publicURL.map { try PublicURL($0) },
            keys: KeysFingerprint(of: [SecretBytes(Array(repeating: keys, count: 32))]))
    }
}

/// What a service does under a lease, done under one that is held for an hour.
extension Ledger {
    /// The lease of that name, held by the first instance.
    package func held(_ name: LeaseName) async throws -> Lease {
        try #require(try await lease(name, for: Sample.instance(1).id, lasting: 3_600))
    }

    /// Records a settlement as the follower of the backend.
    package func record(_ settlement: Settlement, from backend: BackendName) async throws -> IssuedInvoice? {
        try await record(settlement, from: backend, under: held(.following(backend)))
    }

    /// Moves the cursor as the follower of the backend.
    package func pass(to cursor: SettlementCursor, of backend: BackendName) async throws {
        try await pass(to: cursor, of: backend, under: held(.following(backend)))
    }

    /// Forgets the cursor as the follower of the backend.
    package func forgetCursor(of backend: BackendName) async throws {
        try await forgetCursor(of: backend, under: held(.following(backend)))
    }

    /// Notes the following as the follower of the backend.
    package func noteFollowing(_ backend: BackendName, at now: UnixTime) async throws {
        try await noteFollowing(backend, at: now, under: held(.following(backend)))
    }

    /// Deletes events as upkeep does.
    package func pruneEvents(before moment: UnixTime, keeping newest: UInt64) async throws -> Int {
        try await pruneEvents(before: moment, keeping: newest, under: held(.upkeep))
    }

    /// Deletes challenges and requests as upkeep does.
    package func prune(before now: UnixTime) async throws -> Int {
        try await prune(before: now, under: held(.upkeep))
    }

    /// Deletes invoices as upkeep does.
    package func forgetExpired(_ paymentHashes: [PaymentHash], before moment: UnixTime) async throws -> Int {
        try await forgetExpired(
            paymentHashes, issuedIn: UnixTime(0)...moment, before: moment, under: held(.upkeep))
    }

    /// Claims work as whoever carries out the outbox.
    package func claim(
        _ kind: OutboxKind, limit: Int, for holder: String, at now: UnixTime, until: UnixTime
    ) async throws -> OutboxClaim {
        try await claim(kind, limit: limit, for: holder, at: now, until: until, under: held(.outbox))
    }
}
