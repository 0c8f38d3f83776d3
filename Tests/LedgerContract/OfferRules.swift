import BlindedPaths
import Bolt12
import LightningCoding
import LightningCrypto
package import ResponderModel
import Testing

extension Sample {
    /// An offer with that number in its description.
    package static func offer(
        _ number: UInt8, maximumPayments: UInt64? = nil, origin: IssuedOffer.Origin = .issued,
        maker: IssuedOffer.Maker? = nil
    ) throws -> IssuedOffer {
        var fields = OfferFields()
        fields.chains = [ChainHash(.regtest)]
        fields.description = "Offer \(number)"
        fields.issuerID = try SecretKey(Array(repeating: 1, count: 32)).publicKey
        return IssuedOffer(
            offer: try Offer(fields),
            account: try alice(),
            origin: origin,
            maker: maker,
            maximumPayments: maximumPayments,
            createdAt: start
        )
    }

    /// The invoice with that number, issued for an invoice request.
    package static func offeredInvoice(_ number: UInt64, for offer: IssuedOffer) throws -> IssuedInvoice {
        let plain = try invoice(number)
        return IssuedInvoice(
            paymentHash: plain.paymentHash,
            account: plain.account,
            backend: plain.backend,
            label: plain.label,
            bolt11: plain.bolt11,
            amount: plain.amount,
            createdAt: plain.createdAt,
            expiresAt: plain.expiresAt,
            origin: .bolt12(
                .init(
                    offer: offer.offer.id,
                    invoice: try bolt12(plain, for: offer.offer).stream.bytes,
                    quantity: .max,
                    payerNote: "hi",
                    name: "a@b.example"
                )
            )
        )
    }

    /// The payment of a node's own offer by that invoice, as the node reports it.
    static func payment(for offer: IssuedOffer, by invoice: IssuedInvoice) throws -> OfferedPayment {
        guard case .bolt12(let origin) = invoice.origin else {
            return OfferedPayment(offer: offer.offer.id, invoice: nil)
        }
        return OfferedPayment(offer: offer.offer.id, invoice: try origin.invoice.map { try Bolt12Invoice(bytes: $0) })
    }

    /// The same by an invoice whose request names, as who is paid, something that no name can be.
    static func payment(_ number: UInt64, for offer: IssuedOffer, nameOf byte: UInt8) throws -> OfferedPayment {
        let name = try BIP353Name("a.b@c.example")
        var bytes = try bolt12(invoice(number), for: offer.offer, name: name).stream.bytes
        let start = try #require(bytes.indices.first { bytes[$0...].starts(with: "a.b".utf8) })
        bytes[start + 1] = byte
        return OfferedPayment(offer: offer.offer.id, invoice: try Bolt12Invoice(bytes: bytes))
    }

    private static func bolt12(
        _ plain: IssuedInvoice, for offer: Offer, name: BIP353Name? = nil
    ) throws -> Bolt12Invoice {
        let key = try SecretKey(Array(repeating: 1, count: 32))
        let request = try InvoiceRequestDraft(
            for: offer,
            metadata: Array(repeating: 2, count: 16),
            chain: ChainHash(.regtest),
            amount: plain.amount,
            bip353Name: name
        )
        .signed(by: key, auxiliaryRandom: nil)
        let reception = RequestReception(arrival: .direct, now: start, chains: [ChainHash(.regtest)])
        let path = try PaymentPath(
            to: PaymentPath.Destination(
                nodeID: key.publicKey,
                pathID: SecretBytes([3]),
                expiryHeight: 800_000,
                minFinalCLTVExpiryDelta: 18
            ),
            secret: key
        )
        return try InvoiceDraft(
            answering: request.accepted(for: offer, reception),
            createdAt: plain.createdAt,
            paymentHash: plain.paymentHash,
            paths: [path]
        )
        .signed(by: key, auxiliaryRandom: nil)
    }
}

extension LedgerRule {
    static let offers = [
        LedgerRule("An offer reads back as written, and storing it again changes nothing") { ledger in
            try await ledger.put("alice")
            let offer = try Sample.offer(1, maximumPayments: 3)
            #expect(try await ledger.putOffer(offer) == offer)
            #expect(try await ledger.disableOffer(offer.offer.id, at: Sample.start))
            #expect(try await ledger.putOffer(offer).disabledAt == Sample.start)
            #expect(try await ledger.disableOffer(offer.offer.id, at: Sample.start.adding(seconds: 1)))
            #expect(try await ledger.offer(offer.offer.id)?.disabledAt == Sample.start)
            #expect(try await ledger.offer(Sample.offer(2).offer.id) == nil)
            #expect(try await ledger.disableOffer(Sample.offer(2).offer.id, at: Sample.start) == false)
        },
        LedgerRule(
            "An offer's maker is filled in if missing, and then kept, like its disabling there"
        ) {
            ledger in
            try await ledger.put("alice")
            let maker = IssuedOffer.Maker(backend: .embedded, nodeID: try Sample.node(1))
            let other = IssuedOffer.Maker(backend: try #require(BackendName("other")), nodeID: try Sample.node(2))
            let unknown = try await ledger.putOffer(Sample.offer(1, origin: .node))
            #expect(unknown.maker == nil)
            for later in [maker, other] {
                #expect(try await ledger.putOffer(Sample.offer(1, origin: .node, maker: later)).maker == maker)
            }
            let id = unknown.offer.id
            #expect(try await ledger.noteDisabledAtNode(id, at: Sample.start))
            #expect(try await ledger.noteDisabledAtNode(id, at: Sample.start.adding(seconds: 1)))
            let kept = try #require(try await ledger.offer(id))
            #expect(kept.maker == maker && kept.disabledAtNodeAt == Sample.start && kept.disabledAt == nil)
            #expect(try await ledger.noteDisabledAtNode(Sample.offer(2).offer.id, at: Sample.start) == false)
            #expect(try Sample.offer(3, maker: maker).maker == nil)
        },
        LedgerRule("Offers are listed newest first, for one account or all") { ledger in
            try await ledger.put("alice")
            let first = try await ledger.putOffer(Sample.offer(1))
            let second = try await ledger.putOffer(Sample.offer(2))
            #expect(try await ledger.offers(of: nil) == [second, first])
            #expect(try await ledger.offers(of: Sample.alice()) == [second, first])
            #expect(try await ledger.offers(of: Sample.account("bob")).isEmpty)
        },
        LedgerRule("An invoice for an offer reads back as written") { ledger in
            try await ledger.put("alice")
            let offer = try await ledger.putOffer(Sample.offer(1))
            let invoice = try Sample.offeredInvoice(1, for: offer)
            try await ledger.record(invoice, using: .offer(OfferClaim(offer: offer.offer.id, request: nil)))
            #expect(try await ledger.invoice(invoice.paymentHash) == invoice)
        },
        LedgerRule("No invoice is stored for an unknown or disabled offer") { ledger in
            try await ledger.put("alice")
            let offer = try Sample.offer(1)
            let claim = InvoiceClaim.offer(OfferClaim(offer: offer.offer.id, request: nil))
            await #expect(throws: LedgerFault.unknownOffer) {
                try await ledger.record(Sample.offeredInvoice(1, for: offer), using: claim)
            }
            _ = try await ledger.putOffer(offer)
            _ = try await ledger.disableOffer(offer.offer.id, at: Sample.start)
            await #expect(throws: LedgerFault.offerDisabled) {
                try await ledger.record(Sample.offeredInvoice(1, for: offer), using: claim)
            }
            #expect(try await ledger.invoice(Sample.preimage(1).paymentHash) == nil)
        },
        LedgerRule("Of many concurrent requests for an offer for two payments, two get invoices") { ledger in
            try await ledger.put("alice")
            let offer = try await ledger.putOffer(Sample.offer(1, maximumPayments: 2))
            let recorded = await withTaskGroup(of: Bool.self, returning: Int.self) { group in
                for number in UInt64(1)...50 {
                    group.addTask {
                        let claim = OfferClaim(offer: offer.offer.id, request: RequestDigest(of: [UInt8(number)]))
                        let invoice = try? Sample.offeredInvoice(number, for: offer)
                        guard let invoice else { return false }
                        return (try? await ledger.record(invoice, using: .offer(claim))) != nil
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(recorded == 2)
        },
        LedgerRule(
            "An offer is exhausted by payments, open invoices and recently expired ones"
        ) {
            ledger in
            try await ledger.put("alice")
            let offer = try await ledger.putOffer(Sample.offer(1, maximumPayments: 1))
            let claim = InvoiceClaim.offer(OfferClaim(offer: offer.offer.id, request: nil))
            try await ledger.record(Sample.offeredInvoice(1, for: offer), using: claim)
            await #expect(throws: LedgerFault.offerExhausted) {
                try await ledger.record(Sample.offeredInvoice(300, for: offer), using: claim)
            }
            // The first one expires 301 seconds after the start: its payment may not have been reported yet.
            let free = 301 + OfferClaim.grace
            for number in [301, free - 1] {
                await #expect(throws: LedgerFault.offerExhausted) {
                    try await ledger.record(Sample.offeredInvoice(number, for: offer), using: claim)
                }
            }
            // Nobody has read its node's payments, or not long enough beyond the expiry: the payment may have come while nobody did.
            for until in [nil, 301, free - 1] {
                if let until { try await ledger.noteFollowing(.embedded, at: Sample.start.adding(seconds: until)) }
                await #expect(throws: LedgerFault.offerExhausted) {
                    try await ledger.record(Sample.offeredInvoice(free, for: offer), using: claim)
                }
            }
            try await ledger.noteFollowing(.embedded, at: Sample.start.adding(seconds: free))
            try await ledger.record(Sample.offeredInvoice(free, for: offer), using: claim)
            _ = try await ledger.record(Sample.settlement(free), from: .embedded)
            await #expect(throws: LedgerFault.offerExhausted) {
                try await ledger.record(Sample.offeredInvoice(9_000, for: offer), using: claim)
            }
        },
        LedgerRule("A request has one invoice while that can be paid, and a new one afterwards") { ledger in
            try await ledger.put("alice")
            let offer = try await ledger.putOffer(Sample.offer(1))
            let request = RequestDigest(of: [1])
            let claim = InvoiceClaim.offer(OfferClaim(offer: offer.offer.id, request: request))
            let first = try Sample.offeredInvoice(1, for: offer)
            // Somebody else's, issued in the same second.
            let other = try Sample.invoice(2)
            try await ledger.record(
                IssuedInvoice(
                    paymentHash: other.paymentHash, account: other.account, backend: other.backend, label: other.label,
                    bolt11: other.bolt11, amount: other.amount, createdAt: first.createdAt, expiresAt: other.expiresAt,
                    origin: other.origin),
                using: nil)
            try await ledger.record(first, using: claim)
            #expect(try await ledger.answer(to: request, at: first.createdAt) == first)
            #expect(try await ledger.answer(to: RequestDigest(of: [2]), at: first.createdAt) == nil)
            await #expect(throws: LedgerFault.requestAnswered) {
                try await ledger.record(Sample.offeredInvoice(3, for: offer), using: claim)
            }
            #expect(try await ledger.answer(to: request, at: first.expiresAt) == nil)
            let later = try Sample.offeredInvoice(301, for: offer)
            try await ledger.record(later, using: claim)
            #expect(try await ledger.answer(to: request, at: later.createdAt) == later)
            _ = try await ledger.record(Sample.settlement(301), from: .embedded)
            #expect(try await ledger.answer(to: request, at: later.createdAt) == nil)
        },
    ]
}
