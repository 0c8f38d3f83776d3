import Bolt11
import LightningCoding
import LightningCrypto
import ResponderModel
import Testing

extension BackendRule {
    static let creation = [
        BackendRule("An invoice is for the node's network, signed by its key, and pays it once") { fixture in
            let backend = try await fixture.connect()
            let node = try await backend.nodeInfo()
            let order = InvoiceOrder.sample()
            let answer = try await backend.createInvoice(order)
            let invoice = try Bolt11Invoice(answer.bolt11)
            #expect(invoice.network == node.network)
            #expect(invoice.payee == node.nodeID)
            #expect(invoice.paymentHash == answer.paymentHash)
            let second = try await backend.createInvoice(.sample("5f5e1000a1b2c3d4e5f60718293a4b5d"))
            #expect(second.paymentHash != answer.paymentHash)
        },
        BackendRule("An invoice contains the hash of any text, if ordered") { fixture in
            let backend = try await fixture.connect()
            let texts = [
                #"[["text/plain","⚡️ \"quoted\" \\ / é\n"],["text/identifier","alice@example.com"]]"#,
                #"[["text/plain","\#(String(repeating: "long ", count: 400))"]]"#,
            ]
            for (number, text) in texts.enumerated() {
                let order = InvoiceOrder.sample("label \(number)", Millisatoshi(21_000), .hashed(text))
                let invoice = try await fixture.invoice(order, from: backend)
                #expect(invoice.description == .hash(SHA256.hash(Array(text.utf8))))
            }
        },
        BackendRule("An invoice contains a text up to the limit, if ordered") { fixture in
            let backend = try await fixture.connect()
            let limit = try await backend.capabilities.textLimit
            let texts = ["", "Tea ☕️ & \"cake\" \\ /", String(repeating: "x", count: limit)]
            for (number, text) in texts.enumerated() where text.utf8.count <= limit {
                let order = InvoiceOrder.sample("label \(number)", Millisatoshi(21_000), .text(text))
                #expect(try await fixture.invoice(order, from: backend).description == .text(text))
            }
        },
        BackendRule("An invoice has the ordered expiry") { fixture in
            let backend = try await fixture.connect()
            for expiry in [60, 600, 86_400] as [UInt64] {
                let invoice = try await fixture.invoice(.sample("label \(expiry)", expiry: expiry), from: backend)
                #expect(invoice.expiry == expiry)
            }
        },
        BackendRule("The minimum and maximum that can be received can be ordered") { fixture in
            let backend = try await fixture.connect()
            let limits = try await backend.limits()
            #expect(limits.minimum <= limits.maximum)
            if try await backend.capabilities.precision == .wholeSatoshi { #expect(limits.wholeSatoshis() == limits) }
            for (label, amount) in [("least", limits.minimum), ("most", limits.maximum)] {
                #expect(try await fixture.invoice(.sample(label, amount), from: backend).amount == amount)
            }
        },
        BackendRule("An amount is invoiced to the millisatoshi, or reported as impossible") { fixture in
            let backend = try await fixture.connect()
            let order = InvoiceOrder.sample("odd", Millisatoshi(21_001))
            switch try await backend.capabilities.precision {
            case .millisatoshi: #expect(try await fixture.invoice(order, from: backend).amount == order.amount)
            case .wholeSatoshi:
                await #expect(throws: BackendFault.amountNotPossible) { try await backend.createInvoice(order) }
            }
        },
        BackendRule("A preimage of our choice is used once, or reported as unsupported") { fixture in
            let backend = try await fixture.connect()
            // A real node knows those of earlier runs.
            let preimage = try Preimage(random: SystemRandom.bytes)
            let order = InvoiceOrder.sample(preimage: preimage)
            guard try await backend.capabilities.acceptsPreimage else {
                await #expect(throws: BackendFault.unsupported) { try await backend.createInvoice(order) }
                return
            }
            #expect(try await fixture.invoice(order, from: backend).paymentHash == preimage.paymentHash)
            await #expect(throws: BackendFault.duplicate) {
                try await backend.createInvoice(.sample("another label", preimage: preimage))
            }
        },
        BackendRule("A used label makes no second invoice with the same hash") { fixture in
            let backend = try await fixture.connect()
            let first = try await backend.createInvoice(.sample("same"))
            do throws(BackendFault) {
                let second = try await backend.createInvoice(.sample("same"))
                #expect(second.paymentHash != first.paymentHash)
            } catch {
                #expect(error == .duplicate)
            }
            #expect(try await backend.status(of: first.paymentHash) == .open)
        },
    ]
}
