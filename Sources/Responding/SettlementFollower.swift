import LightningCrypto
public import Receiving

/// Writes down the settlements of one backend as they happen, from where the last process stopped.
public struct SettlementFollower: Sendable {
    private let name: BackendName
    private let backend: any ReceiveBackend
    private let responder: Responder
    private let pause: @Sendable (_ attempt: Int) async throws -> Void
    private let report: @Sendable (Event) -> Void

    /// What happens while following.
    public enum Event: Sendable {
        /// An invoice of ours has been paid.
        case settled(IssuedInvoice)
        /// The stream broke off; it is taken up again after a pause, and again, of which nothing is told until the node answers
        /// or the cause is another.
        case interrupted(BackendName, any Error)
        /// The node answers again.
        case resumed(BackendName)
    }

    /// Creates a follower.
    ///
    /// - Parameters:
    ///   - responder: whose ledger the settlements are written into.
    ///   - pause: waits before the stream is taken up again; `attempt` counts failures in a row, from 1.
    ///   - report: is told of every event.
    public init(
        of name: BackendName,
        _ backend: any ReceiveBackend,
        by responder: Responder,
        pause: @escaping @Sendable (_ attempt: Int) async throws -> Void = SettlementFollower.backOff,
        report: @escaping @Sendable (Event) -> Void
    ) {
        self.name = name
        self.backend = backend
        self.responder = responder
        self.pause = pause
        self.report = report
    }

    /// Follows until cancelled.
    public func run() async {
        var attempt = 0
        var told: String?
        while !Task.isCancelled {
            do {
                try await responder.knownNodes.accept(try await backend.nodeInfo().nodeID, as: name)
                if attempt > 0 { report(.resumed(name)) }
                told = nil
                let ledger = responder.ledger
                for try await settlement in backend.settlements(after: try await ledger.cursor(of: name)) {
                    attempt = 0
                    guard settlement.isProven else {
                        report(.interrupted(name, BackendFault.malformedAnswer("a preimage of another hash")))
                        continue
                    }
                    if let invoice = try await ledger.record(settlement, from: name) { report(.settled(invoice)) }
                }
                if Task.isCancelled { return }
            } catch {
                if Task.isCancelled { return }
                let cause = "\(error)"
                if told != cause { report(.interrupted(name, error)) }
                told = cause
            }
            attempt += 1
            guard (try? await pause(attempt)) != nil else { return }
        }
    }

    /// Waits 0.1 s, 0.2 s, 0.4 s … at most 1 s: what a node that is back knows is to be seen within a second.
    public static func backOff(attempt: Int) async throws {
        try await Task.sleep(for: pause(attempt: attempt))
    }

    /// How long `backOff` waits.
    static func pause(attempt: Int) -> Duration {
        .milliseconds(min(100 << min(max(attempt, 1) - 1, 4), 1_000))
    }
}
