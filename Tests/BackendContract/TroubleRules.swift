import Platform
import LightningCoding
import LightningCrypto
package import ResponderModel
import Testing

extension BackendRule {
    static let troubles =
        NodeTrouble.allCases.map { trouble in
            BackendRule("While a node \(trouble.words) every call ends with a fault that says so; then all goes on") {
                fixture in
                let backend = try await fixture.connect()
                let hash = try await fixture.paid(.sample("before"), at: backend)
                let cursor = try await backend.settlements(1).last?.cursor
                guard try await fixture.set(trouble) else { return }
                let reader = Task { try await backend.settlements(1, after: cursor) }
                // A node that never answers fails by the deadline of every node, which here comes at once.
                let atOnce = MonotonicClock(now: { .now }, sleep: { _ in })
                let asked: any ReceiveBackend =
                    trouble == .silent ? ConfiguredBackend(backend, clock: atOnce) : backend
                // Limits may come from a cache.
                for (call, fault) in await asked.faults(hash) where call != "limits" || fault != nil {
                    #expect(trouble.explains(fault), "\(call): \(String(describing: fault))")
                }
                _ = try await fixture.set(nil)
                while await fault({ () async throws(BackendFault) in _ = try await backend.nodeInfo() }) != nil {
                    try await Task.sleep(for: .milliseconds(1))
                }
                let later = try await fixture.paid(.sample("after"), at: backend)
                // The stream may end or continue; it must not invent a settlement.
                let seen = (try? await reader.value) ?? []
                #expect(seen.isEmpty || seen.map(\.paymentHash) == [later])
                #expect(try await backend.settlements(1, after: cursor).map(\.paymentHash) == [later])
            }
        } + [
            BackendRule("A node on a chain other than the configured one is not used") { fixture in
                let backend = try await fixture.connect()
                let network = try await backend.nodeInfo().network
                let elsewhere: Network = network == .bitcoin ? .signet : .bitcoin
                await #expect(throws: BackendFault.wrongNetwork(network, configured: elsewhere)) {
                    try await ConfiguredBackend(backend, network: elsewhere).nodeInfo()
                }
                #expect(try await ConfiguredBackend(backend, network: network).nodeInfo().network == network)
            }
        ]
}

extension ReceiveBackend {
    /// The fault of each call; nil for success.
    fileprivate func faults(_ hash: PaymentHash) async -> [(String, BackendFault?)] {
        [
            ("nodeInfo", await fault { () async throws(BackendFault) in _ = try await self.nodeInfo() }),
            ("limits", await fault { () async throws(BackendFault) in _ = try await self.limits() }),
            (
                "createInvoice",
                await fault { () async throws(BackendFault) in _ = try await self.createInvoice(.sample("during")) }
            ),
            ("status", await fault { () async throws(BackendFault) in _ = try await self.status(of: hash) }),
        ]
    }
}

/// The fault that a call ends with; nil when it ends well.
package func fault(_ body: () async throws(BackendFault) -> Void) async -> BackendFault? {
    do throws(BackendFault) {
        try await body()
        return nil
    } catch {
        return error
    }
}
