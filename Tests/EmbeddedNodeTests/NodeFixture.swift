import EmbeddedNode
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import TemporaryFolders
import Waiting

/// A node in a folder of its own, whose clocks stand still and whose ticks come when the test says so.
final class NodeFixture: Sendable {
    let folder = TemporaryFolder()
    let time = Guarded(UnixTime(1_790_000_000))
    let ticks = AsyncStream<Void>.makeStream()

    var databasePath: String { folder.path + "/node.sqlite" }
    static func key() throws -> SecretKey { try SecretKey([UInt8](repeating: 2, count: 32)) }

    func start(_ change: (inout EmbeddedConfiguration) -> Void = { _ in }) async throws -> EmbeddedBackend {
        var configuration = EmbeddedConfiguration(databasePath: databasePath)
        change(&configuration)
        return try await EmbeddedBackend(
            configuration,
            key: try Self.key(),
            clock: { [time] in time.withLock { $0 } },
            monotonic: ManualClock().clock,
            ticks: { [ticks] in ticks.stream }
        )
    }

    func advance(seconds: UInt64) {
        time.withLock { $0 = $0.adding(seconds: seconds) }
    }

    var now: UnixTime { time.withLock { $0 } }
}

extension InvoiceOrder {
    /// An order over 21 sat and 1 msat, good for a minute.
    static func sample(
        _ label: String = "label",
        amount: Millisatoshi = Millisatoshi(21_001),
        description: Description = .hashed("[[\"text/plain\",\"⚡️\"]]"),
        preimage: Preimage? = nil
    ) -> InvoiceOrder {
        InvoiceOrder(amount: amount, description: description, expiry: 60, label: label, preimage: preimage)
    }
}
