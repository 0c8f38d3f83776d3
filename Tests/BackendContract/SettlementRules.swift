import Bolt11
import LightningCoding
import LightningCrypto
import ResponderModel
import Testing

extension BackendRule {
    static let settlements = [
        BackendRule("Settlements come in the node's order, then each new one as it happens") { fixture in
            let backend = try await fixture.connect()
            var hashes: [PaymentHash] = []
            for number in 0..<3 { hashes.append(try await fixture.paid(.sample("label \(number)"), at: backend)) }
            async let four = backend.settlements(4)
            hashes.append(try await fixture.paid(.sample("label 3"), at: backend))
            let settlements = try await four
            #expect(settlements.map(\.paymentHash) == hashes)
            #expect(Set(settlements.map(\.cursor)).count == 4)
            for settlement in settlements {
                #expect(settlement.preimage.paymentHash == settlement.paymentHash)
                #expect(settlement.received == Millisatoshi(21_000))
            }
        },
        BackendRule("After a restart the stream goes on behind the cursor: nothing is lost and nothing comes twice") {
            fixture in
            let first = try await fixture.connect()
            var hashes: [PaymentHash] = []
            for number in 0..<2 { hashes.append(try await fixture.paid(.sample("label \(number)"), at: first)) }
            let cursor = try await first.settlements(2).last?.cursor
            // These are paid while the responder is not connected.
            for number in 2..<4 { hashes.append(try await fixture.paid(.sample("label \(number)"), at: first)) }
            let second = try await fixture.connect()
            let missed = try await second.settlements(2, after: cursor)
            #expect(missed.map(\.paymentHash) == Array(hashes[2...]))
            async let next = second.settlements(1, after: missed.last?.cursor)
            hashes.append(try await fixture.paid(.sample("label 4"), at: second))
            #expect(try await next.map(\.paymentHash) == [hashes[4]])
            #expect(try await second.settlements(5).map(\.paymentHash) == hashes)
        },
        BackendRule(
            "A node whose count was reset has not reached an earlier cursor, and lists later payments from the start"
        ) { fixture in
            let before = try await fixture.connect()
            for number in 0..<3 { _ = try await fixture.paid(.sample("label \(number)"), at: before) }
            let cursors = try await before.settlements(3).map(\.cursor)
            for cursor in cursors { #expect(try await before.cursorState(of: cursor) == .reached) }
            guard try await fixture.rebuild(), let last = cursors.last else { return }
            let backend = try await fixture.connect()
            #expect(try await backend.cursorState(of: last) == .renumbered)
            let hashes = [
                try await fixture.paid(.sample("label 0"), at: backend),
                try await fixture.paid(.sample("label 1"), at: backend),
            ]
            #expect(try await backend.cursorState(of: last) == .renumbered)
            #expect(try await backend.settlements(2).map(\.paymentHash) == hashes)
        },
        BackendRule("Open, expired and canceled invoices are not settlements") { fixture in
            let backend = try await fixture.connect()
            try await fixture.invoice(.sample("expired", expiry: 60), from: backend)
            let canceled = try await fixture.invoice(.sample("canceled"), from: backend)
            if try await backend.capabilities.cancels { try await backend.cancel(canceled.paymentHash) }
            try await fixture.advance(seconds: 61)
            try await fixture.invoice(.sample("open"), from: backend)
            let hash = try await fixture.paid(.sample("paid"), at: backend)
            #expect(try await backend.settlements(1).map(\.paymentHash) == [hash])
        },
        BackendRule("A canceled reader ends") { fixture in
            let backend = try await fixture.connect()
            let reader = Task { try await backend.settlements(1) }
            reader.cancel()
            #expect((try? await reader.value) ?? [] == [])
        },
    ]
}
