import LightningCrypto
import ResponderModel
import Testing

extension BackendRule {
    static let availability = [
        BackendRule("Concurrent orders each get their own invoice, or a transient fault") { fixture in
            let backend = try await fixture.connect()
            let hashes = try await withThrowingTaskGroup(of: PaymentHash?.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        do throws(BackendFault) {
                            return try await backend.createInvoice(.sample("label \(number)")).paymentHash
                        } catch {
                            #expect(error.isTransient)
                            return nil
                        }
                    }
                }
                return try await group.reduce(into: [PaymentHash]()) { hashes, hash in hash.map { hashes.append($0) } }
            }
            #expect(Set(hashes).count == hashes.count)
            #expect(!hashes.isEmpty)
            // The load leaves nothing behind.
            try await fixture.invoice(.sample("afterwards"), from: backend)
        },
        BackendRule("While the node is down every call says so; once it is up, calls succeed") { fixture in
            let backend = try await fixture.connect()
            let hash = try await fixture.paid(.sample("before"), at: backend)
            let cursor = try await backend.settlements(1).last?.cursor
            guard try await fixture.stop() else { return }
            // A responder can start meanwhile.
            for connection in [backend, try await fixture.connect()] {
                await expectTransient { () async throws(BackendFault) in _ = try await connection.nodeInfo() }
                await expectTransient { () async throws(BackendFault) in _ = try await connection.limits() }
                await expectTransient { () async throws(BackendFault) in
                    _ = try await connection.createInvoice(.sample("during"))
                }
                await expectTransient { () async throws(BackendFault) in _ = try await connection.status(of: hash) }
                guard let node = connection.forwarding else { continue }
                let key = try SecretKey([UInt8](repeating: 0x22, count: 32)).publicKey
                await expectTransient { () async throws(BackendFault) in _ = try await node.forwardingPeer(key) }
            }
            // The stream may end or retry; it must not invent a settlement.
            let reader = Task { try await backend.settlements(1, after: cursor) }
            try await fixture.start()
            let later = try await fixture.paid(.sample("after"), at: backend)
            let seen = (try? await reader.value) ?? []
            #expect(seen.isEmpty || seen.map(\.paymentHash) == [later])
            #expect(try await backend.settlements(1, after: cursor).map(\.paymentHash) == [later])
        },
    ]
}

/// Expects a transient fault.
private func expectTransient(
    _ body: () async throws(BackendFault) -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
) async {
    do throws(BackendFault) {
        try await body()
        Issue.record("no fault", sourceLocation: sourceLocation)
    } catch {
        #expect(error.isTransient, "\(error)", sourceLocation: sourceLocation)
    }
}
