public import Bolt12
public import LNURL
import LightningCoding
import LightningCrypto
public import Contracts

extension Responder: AnswersInvoiceRequests {
    /// Answers an invoice request for an offer of an account: with a signed BOLT12 invoice, durable before this returns.
    ///
    /// What costs nothing is checked first: is the offer ours, does the request keep the rules; then the signature; only then
    /// is the ledger read and the node asked. The same bytes again get the same invoice, as long as it can be paid and the
    /// offer has an issuer id; else a fresh one.
    ///
    /// - Parameters:
    ///   - bytes: the request's TLV stream.
    ///   - offer: the offer that the request is said to be for; nil when nobody says so.
    ///   - name: the account.
    ///   - arrival: how the request came.
    public func invoice(
        answering bytes: [UInt8],
        to offer: Offer? = nil,
        for name: AddressName,
        arrival: Arrival
    ) async throws(RequestRefusal) -> Invoice {
        try await invoice(answering: bytes, to: offer, nil, for: name, arrival: arrival)
    }

    /// - Parameter issued: the offer as the ledger has it; nil when it has not been read.
    func invoice(
        answering bytes: [UInt8], to offer: Offer?, _ issued: IssuedOffer?, for name: AddressName, arrival: Arrival
    ) async throws(RequestRefusal) -> Invoice {
        let asked = try await requestedPayment(bytes, offer, for: name, arrival)
        guard let digest = asked.digest else { return try await issueInvoice(for: asked, issued) }
        return try await requestsInFlight.value(for: AccountRequest(account: name, digest: digest)) {
            do throws(RequestRefusal) {
                if let invoice = try await earlierInvoice(digest, of: name) { return .success(invoice) }
                return .success(try await issueInvoice(for: asked, issued))
            } catch .unavailable(.ledger(.requestAnswered)) {
                // Another process was faster.
                return await laterInvoice(digest, of: name)
            } catch {
                return .failure(error)
            }
        }
        .get()
    }

    /// The rules that need neither ledger nor node, but for the node's chain, and the key that will sign.
    private func requestedPayment(
        _ bytes: [UInt8], _ expected: Offer?, for name: AddressName, _ arrival: Arrival
    ) async throws(RequestRefusal) -> RequestedPayment {
        let account = try await RequestRefusal.translating(await account(named: name))
        let node = try await RequestRefusal.resolving(await nodes.node(named: account.settings.backend))
        do {
            let request = try InvoiceRequest(bytes: bytes)
            let mirrored = try? request.mirroredOffer()
            guard expected == nil || mirrored == expected else { throw InvoiceRequestFault.offerMismatch }
            guard let offer = mirrored, let offers, offers.isOurs(offer) else { throw RequestRefusal.unknownOffer }
            let chain = ChainHash(node.info.network)
            let accepted = try request.accepted(
                for: offer, RequestReception(arrival: arrival, now: clock(), chains: [chain]))
            guard let key = offers.signingKey(of: offer, pathIndex: accepted.pathIndex ?? 0) else {
                throw RequestRefusal.unknownOffer
            }
            return RequestedPayment(
                account: account, node: node, request: accepted, signingKey: key,
                digest: offer.issuerID == nil ? nil : RequestDigest(of: bytes))
        } catch let fault as InvoiceRequestFault {
            throw .request(fault)
        } catch {
            throw .unknownOffer
        }
    }

    private func laterInvoice(_ digest: RequestDigest, of name: AddressName) async -> Result<Invoice, RequestRefusal> {
        do throws(RequestRefusal) {
            guard let invoice = try await earlierInvoice(digest, of: name) else {
                throw .unavailable(.ledger(.requestAnswered))
            }
            return .success(invoice)
        } catch {
            return .failure(error)
        }
    }

    private func earlierInvoice(
        _ digest: RequestDigest, of name: AddressName
    ) async throws(RequestRefusal) -> Invoice? {
        guard let earlier = try await RequestRefusal.asking(await ledger.answer(to: digest, at: clock())),
            case .bolt12(let offered) = earlier.origin
        else { return nil }
        // What another account gave out is none of this one's.
        guard earlier.account == name else { throw .unknownOffer }
        return offered.invoice.flatMap { try? Invoice(bytes: $0) }
    }
}

/// An invoice request that keeps the rules, and who answers it.
struct RequestedPayment: Sendable {
    let account: Account
    let node: ReceivingNode
    let request: AcceptedRequest
    /// Signs the invoice.
    let signingKey: SecretKey
    /// By what the request is recognised when it comes again; nil when each gets an invoice of its own.
    let digest: RequestDigest?
}
