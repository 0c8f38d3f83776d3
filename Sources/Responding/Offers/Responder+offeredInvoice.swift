import BlindedPaths
import Bolt11
import Bolt12
import LNURL
import LightningCoding
import LightningCrypto
import Receiving

extension Responder {
    /// Has the node make a BOLT11 invoice and builds a BOLT12 invoice of it: the same payment hash, paid over a blinded path
    /// that the node opens by its payment secret.
    func freshInvoice(
        answering request: AcceptedRequest,
        for name: AddressName,
        signedBy key: SecretKey,
        digest: RequestDigest?
    ) async throws(RequestRefusal) -> Invoice {
        let account = try await payee(name)
        let issued = try await issuedOffer(request.offer, of: name)
        let backend: any ReceiveBackend
        let capabilities: BackendCapabilities
        do {
            backend = try self.backend(of: account)
            let limits = try await limits(of: account)
            capabilities = try await self.capabilities(of: account)
            try checkAmount(request.amount, against: limits, capabilities)
        } catch {
            throw RequestRefusal(error)
        }
        guard case .builtHere = capabilities.offers else {
            throw .backendWithoutBolt12(account.settings.backend)
        }
        // Nothing that is known before is to cost the node an invoice.
        try await checkObstacles(to: OfferClaim(offer: issued.offer.id, request: digest))
        try PaymentPaths.check(
            try await payeeNode(backend, named: account.settings.backend), for: request.amount)
        let order = try order(request, for: account, textLimit: capabilities.textLimit)
        let place: OpenInvoiceGate.Place
        let ordered: OrderedInvoice
        do {
            place = try await openInvoices.place(for: name, in: ledger, at: clock())
        } catch {
            throw RequestRefusal(error)
        }
        defer { place.leave() }
        do {
            ordered = try await invoice(order, from: backend, named: account.settings.backend)
        } catch {
            throw RequestRefusal(error)
        }
        let base = ordered.contents
        let invoice: Invoice
        do throws(RequestRefusal) {
            invoice = try await signedInvoice(request, over: base, account.settings.backend, backend, key)
            try await write(invoice, over: base, order, for: account, answering: request, issued, digest)
            place.take()
        } catch {
            try? await ordered.kept()
            await letGo(ordered.begun.invoice, at: backend)
            throw error
        }
        do {
            try await ordered.kept()
        } catch {
            throw RequestRefusal(error)
        }
        return invoice
    }

    private func checkObstacles(to claim: OfferClaim) async throws(RequestRefusal) {
        let obstacle: LedgerFault?
        do {
            obstacle = try await ledger.obstacle(to: claim, at: clock())
        } catch {
            throw .unavailable(.ledger(error))
        }
        if let obstacle { throw RequestRefusal(recording: obstacle) }
    }

    private func payeeNode(
        _ backend: any ReceiveBackend, named name: BackendName
    ) async throws(RequestRefusal) -> NodeInfo {
        do {
            return try await node(backend, named: name)
        } catch {
            throw .unavailable(error)
        }
    }

    private func issuedOffer(_ offer: Offer, of name: AddressName) async throws(RequestRefusal) -> IssuedOffer {
        let issued: IssuedOffer?
        do {
            issued = try await ledger.offer(offer.id)
        } catch {
            throw .unavailable(.ledger(error))
        }
        guard let issued, issued.account == name else { throw .unknownOffer }
        guard issued.disabledAt == nil else { throw .offerDisabled }
        return issued
    }

    /// The node's invoice ends with the offer at the latest.
    private func order(
        _ request: AcceptedRequest, for account: Account, textLimit: Int
    ) throws(RequestRefusal) -> InvoiceOrder {
        let description = request.offer.description ?? ""
        let fits = description.utf8.count <= textLimit
        let remaining = request.offer.absoluteExpiry.map { max(1, $0.seconds(since: clock())) }
        do {
            return InvoiceOrder(
                amount: request.amount,
                description: fits ? .text(description) : .hashed(description),
                expiry: min(account.settings.invoiceExpiry, remaining ?? .max),
                label: try label()
            )
        } catch {
            throw .unavailable(.randomness)
        }
    }

    private func signedInvoice(
        _ request: AcceptedRequest,
        over base: UnverifiedBolt11Invoice,
        _ name: BackendName,
        _ backend: any ReceiveBackend,
        _ key: SecretKey
    ) async throws(RequestRefusal) -> Invoice {
        let node = try await payeeNode(backend, named: name)
        let paths = try PaymentPaths(node: node, invoice: base, random: random).make()
        let createdAt = max(clock(), base.timestamp)
        let draft = InvoiceDraft(
            answering: request,
            createdAt: createdAt,
            relativeExpiry: UInt32(clamping: base.expiresAt.seconds(since: createdAt)),
            paymentHash: base.paymentHash,
            paths: paths,
            parts: base.features.supports(.basicMultiPartPayment) ? .severalAllowed : .one
        )
        do {
            return try draft.signed(by: key, auxiliaryRandom: try random(32))
        } catch let fault as InvoiceFault {
            throw .invoice(fault)
        } catch {
            throw .unavailable(.randomness)
        }
    }

    private func write(
        _ invoice: Invoice,
        over base: UnverifiedBolt11Invoice,
        _ order: InvoiceOrder,
        for account: Account,
        answering request: AcceptedRequest,
        _ issued: IssuedOffer,
        _ digest: RequestDigest?
    ) async throws(RequestRefusal) {
        let words = request.request.fields
        let record = IssuedInvoice(
            paymentHash: base.paymentHash,
            account: account.name,
            backend: account.settings.backend,
            label: order.label,
            bolt11: base.text,
            amount: request.amount,
            createdAt: invoice.createdAt,
            expiresAt: base.expiresAt,
            origin: .bolt12(
                .init(
                    offer: issued.offer.id,
                    invoice: invoice.stream.bytes,
                    quantity: words.quantity,
                    payerNote: words.payerNote,
                    name: words.bip353Name?.description
                )
            )
        )
        do {
            try await StepLog.measure("ledger") { () async throws(LedgerFault) in
                try await ledger.record(record, using: .offer(OfferClaim(offer: issued.offer.id, request: digest)))
            }
        } catch {
            throw RequestRefusal(recording: error)
        }
    }
}

extension RequestRefusal {
    /// What the payer side's refusal means for a request.
    init(_ refusal: Refusal) {
        self =
            switch refusal {
            case .amountOutOfLimits(let limits): .amountOutOfLimits(limits)
            case .amountNotWholeSatoshis: .amountNotWholeSatoshis
            case .tooMany(let seconds): .tooMany(retryAfter: seconds)
            case .unavailable(let cause): .unavailable(cause)
            default: .unknownOffer
            }
    }

    /// What the ledger's refusal to write an invoice down means for a request.
    fileprivate init(recording fault: LedgerFault) {
        self =
            switch fault {
            case .offerDisabled: .offerDisabled
            case .offerExhausted: .offerExhausted
            case .unknownOffer: .unknownOffer
            default: .unavailable(.ledger(fault))
            }
    }
}
