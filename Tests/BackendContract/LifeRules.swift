import Bolt11
import LightningCoding
import LightningCrypto
import ResponderModel
import Testing

extension BackendRule {
    static let life = [
        BackendRule("A hash unknown to the node has no status") { fixture in
            let backend = try await fixture.connect()
            let unknown = try Preimage(Array(repeating: 3, count: 32)).paymentHash
            #expect(try await backend.status(of: unknown) == nil)
        },
        BackendRule("An invoice is open until it expires, and can then no longer be paid") { fixture in
            let backend = try await fixture.connect()
            let invoice = try await fixture.invoice(.sample(expiry: 60), from: backend)
            #expect(try await backend.status(of: invoice.paymentHash) == .open)
            try await fixture.advance(seconds: 61)
            #expect(try await backend.status(of: invoice.paymentHash) == .closed)
            await #expect(throws: (any Error).self) { try await fixture.pay(invoice.text, Millisatoshi(21_000)) }
            #expect(try await backend.status(of: invoice.paymentHash) == .closed)
        },
        BackendRule("A payment settles an invoice for good, and reveals the preimage only then") { fixture in
            let backend = try await fixture.connect()
            let invoice = try await fixture.invoice(.sample(expiry: 60), from: backend)
            #expect(try await backend.status(of: invoice.paymentHash) == .open)
            let before = await fixture.now
            try await fixture.pay(invoice.text, Millisatoshi(21_000))
            let status = try await backend.status(of: invoice.paymentHash)
            guard case .settled(let moment, let received, let preimage) = status else {
                Issue.record("\(String(describing: status))")
                return
            }
            #expect(received == Millisatoshi(21_000))
            #expect(preimage.paymentHash == invoice.paymentHash)
            #expect(moment >= before)
            try await fixture.advance(seconds: 61)
            #expect(try await backend.status(of: invoice.paymentHash) == status)
        },
        BackendRule("An overpayment is recorded with the amount received") { fixture in
            let backend = try await fixture.connect()
            let invoice = try await fixture.invoice(.sample(), from: backend)
            try await fixture.pay(invoice.text, Millisatoshi(42_000))
            guard case .settled(_, let received, _) = try await backend.status(of: invoice.paymentHash) else {
                Issue.record("not settled")
                return
            }
            #expect(received == Millisatoshi(42_000))
            #expect(try await backend.settlements(1).map(\.received) == [Millisatoshi(42_000)])
        },
        BackendRule("An underpayment settles nothing") { fixture in
            let backend = try await fixture.connect()
            let invoice = try await fixture.invoice(.sample(), from: backend)
            await #expect(throws: (any Error).self) { try await fixture.pay(invoice.text, Millisatoshi(20_000)) }
            #expect(try await backend.status(of: invoice.paymentHash) == .open)
            try await fixture.pay(invoice.text, Millisatoshi(21_000))
            #expect(try await backend.settlements(1).map(\.received) == [Millisatoshi(21_000)])
        },
        BackendRule("An open invoice can be canceled, or that is reported as unsupported") { fixture in
            let backend = try await fixture.connect()
            let invoice = try await fixture.invoice(.sample(), from: backend)
            guard try await backend.capabilities.cancels else {
                await #expect(throws: BackendFault.unsupported) { try await backend.cancel(invoice.paymentHash) }
                return
            }
            try await backend.cancel(invoice.paymentHash)
            // Some nodes do not know canceled invoices.
            let after = try await backend.status(of: invoice.paymentHash)
            #expect(after == .closed || after == nil)
            await #expect(throws: (any Error).self) { try await fixture.pay(invoice.text, Millisatoshi(21_000)) }
            #expect(try await backend.status(of: invoice.paymentHash) == after)
        },
        BackendRule("A paid invoice cannot be canceled") { fixture in
            let backend = try await fixture.connect()
            let hash = try await fixture.paid(.sample(), at: backend)
            await #expect(throws: BackendFault.self) { try await backend.cancel(hash) }
            guard case .settled = try await backend.status(of: hash) else {
                Issue.record("not settled")
                return
            }
        },
    ]
}
