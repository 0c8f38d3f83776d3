import Bolt11
import Bolt12
import LightningCoding
import LightningCrypto
import ResponderModel

extension Responder {
    /// Answers an invoice request for an offer of an account: with a signed BOLT12 invoice, durable before this
    /// returns.
    ///
    /// Cheap checks come first: that the offer is ours and the request follows the rules, then the signature; only then
    /// are the ledger and the node called. The same bytes get the same invoice while it can be paid and the offer has
    /// an issuer id; otherwise a new one.
    ///
    /// - Parameters:
    ///   - offer: the offer that the request claims to be for; nil when it is not known.
    ///   - issued: the ledger's offer; nil when it has not been read.
    func invoice(
        answering bytes: [UInt8], to offer: Offer?, _ issued: IssuedOffer?, for account: Account, arrival: Arrival
    ) async throws(RequestRefusal) -> Bolt12Invoice {
        let asked = try await requestedPayment(bytes, offer, for: account, arrival)
        guard let digest = asked.digest else { return try await issueInvoice(for: asked, issued) }
        return try await requestsInFlight.invoice(
            for: AccountRequest(account: account.id, digest: digest),
            earlier: { () async throws(RequestRefusal) in try await earlierInvoice(digest, of: account.id) },
            issuing: { () async throws(RequestRefusal) in try await issueInvoice(for: asked, issued) })
    }

    /// Checks the rules that need neither ledger nor node, except for the node's chain; returns the signing key.
    private func requestedPayment(
        _ bytes: [UInt8], _ expected: Offer?, for account: Account, _ arrival: Arrival
    ) async throws(RequestRefusal) -> RequestedPayment {
        let node = try await awaiting(await nodes.node(named: account.settings.backend), as: RequestRefusal.unavailable)
        do {
            let request = try InvoiceRequest(bytes: bytes)
            let mirrored = try? request.mirroredOffer()
            guard expected == nil || mirrored == expected else { throw InvoiceRequestFault.offerMismatch }
            guard let offer = mirrored, let offers, offers.isOurs(offer) else { throw RequestRefusal.unknownOffer }
            let chain = ChainHash(node.info.network)
            let accepted = try request.accepted(
                for: offer, RequestReception(arrival: arrival, now: clock(), chains: [chain]))
            guard accepted.request.fields.payerNote?.utf8.contains(0) != true else { throw RequestRefusal.zeroInNote }
            guard let key = offers.signingKey(of: offer, pathIndex: accepted.pathIndex ?? 0) else {
                throw RequestRefusal.unknownOffer
            }
            return RequestedPayment(
                account: account, node: node, request: accepted, signingKey: key,
                digest: offer.issuerID == nil ? nil : RequestDigest(of: bytes))
        } catch let fault as InvoiceRequestFault {
            throw .request(fault)
        } catch {
            throw error as? RequestRefusal ?? .unknownOffer
        }
    }

    private func earlierInvoice(
        _ digest: RequestDigest, of name: AccountID
    ) async throws(RequestRefusal) -> Bolt12Invoice? {
        guard let earlier = try await RequestRefusal.asking(await ledger.answer(to: digest, at: clock())),
            case .bolt12(let offered) = earlier.origin
        else { return nil }
        // An invoice of another account is not returned.
        guard earlier.account == name else { throw .unknownOffer }
        return offered.invoice.flatMap { try? Bolt12Invoice(bytes: $0) }
    }
}

/// A valid invoice request, and who answers it.
private struct RequestedPayment: Sendable {
    let account: Account
    let node: ReceivingNode
    let request: AcceptedRequest
    let signingKey: SecretKey
    /// Identifies a repeated request; nil when each gets its own invoice.
    let digest: RequestDigest?
}

extension Responder {
    /// Builds a BOLT12 invoice from a BOLT11 invoice of the node: the same payment hash, paid over a blinded path whose
    /// path id is the node's payment secret.
    ///
    /// - Parameter issued: the ledger's offer; nil when it has not been read.
    private func issueInvoice(
        for asked: RequestedPayment, _ issued: IssuedOffer?
    ) async throws(RequestRefusal) -> Bolt12Invoice {
        let (request, node) = (asked.request, asked.node)
        let claim = OfferClaim(offer: request.offer.id, request: asked.digest)
        let offer = try await payableOffer(claim.offer, of: asked.account.id, as: issued)
        let payee = try await awaiting(await payee(asked.account, at: node), as: RequestRefusal.unavailable)
        try rethrowing(payee.check(request.amount), as: RequestRefusal.init(_:))
        guard case .builtHere = node.capabilities.offers else { throw .backendWithoutBolt12(node.name) }
        // Checked first to save the node an invoice; what the ledger finds on recording decides.
        if offer.maximumPayments != nil,
            let obstacle = try await RequestRefusal.asking(await ledger.obstacle(to: claim, at: clock()))
        {
            throw .ledger(obstacle)
        }
        try rethrowing(PaymentPaths.check(node.info, for: request.amount), as: RequestRefusal.unavailable)
        let order = try rethrowing(order(for: request, payee), as: RequestRefusal.init(_:))
        do throws(Refusal) {
            return try await issuer.issue(order, for: payee, claiming: .offer(claim)) {
                base, createdAt throws(Refusal) in
                let invoice = try rethrowing(signed(asked, base, at: createdAt), as: Refusal.unavailable)
                let words = request.request.fields
                return (
                    invoice,
                    .bolt12(
                        .init(
                            offer: claim.offer,
                            invoice: invoice.stream.bytes,
                            quantity: words.quantity,
                            payerNote: words.payerNote,
                            name: words.bip353Name?.description
                        ))
                )
            }
        } catch {
            throw RequestRefusal(error)
        }
    }

    private func payableOffer(
        _ id: OfferID, of name: AccountID, as known: IssuedOffer?
    ) async throws(RequestRefusal) -> IssuedOffer {
        var issued = known
        if issued == nil { issued = try await RequestRefusal.asking(await ledger.offer(id)) }
        guard let issued, issued.account == name else { throw .unknownOffer }
        guard issued.disabledAt == nil else { throw .offerDisabled }
        return issued
    }

    /// The node's invoice expires no later than the offer.
    private func order(for request: AcceptedRequest, _ payee: Payee) throws(Refusal) -> InvoiceOrder {
        let description = request.offer.description ?? ""
        let fits = description.utf8.count <= payee.node.capabilities.textLimit
        let remaining = request.offer.absoluteExpiry.map { max(1, $0.seconds(since: clock())) }
        return try order(
            request.amount, fits ? .text(description) : .hashed(description),
            expiry: min(payee.account.settings.invoiceExpiry, remaining ?? .max))
    }

    private func signed(
        _ asked: RequestedPayment, _ base: UnverifiedBolt11Invoice, at createdAt: UnixTime
    ) throws(Refusal.Cause) -> Bolt12Invoice {
        let paths = try PaymentPaths(node: asked.node.info, invoice: base, random: random).make()
        let draft = InvoiceDraft(
            answering: asked.request,
            createdAt: createdAt,
            relativeExpiry: UInt32(clamping: base.expiresAt.seconds(since: createdAt)),
            paymentHash: base.paymentHash,
            paths: paths,
            parts: base.features.supports(.basicMultiPartPayment) ? .severalAllowed : .one
        )
        do {
            return try draft.signed(by: asked.signingKey, auxiliaryRandom: try random(32))
        } catch let fault as InvoiceFault {
            throw .bolt12(fault)
        } catch {
            throw .randomness
        }
    }
}
