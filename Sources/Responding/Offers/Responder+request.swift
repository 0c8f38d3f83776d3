public import Bolt12
public import LNURL
import LightningCoding
import LightningCrypto
import Receiving

extension Responder {
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
        let (request, key) = try await accepted(bytes, offer, for: name, arrival)
        guard request.offer.issuerID != nil else {
            return try await freshInvoice(answering: request, for: name, signedBy: key, digest: nil)
        }
        let digest = RequestDigest(of: bytes)
        return try await requestsInFlight.value(for: AccountRequest(account: name, digest: digest)) {
            do throws(RequestRefusal) {
                if let invoice = try await earlierInvoice(digest, of: name) { return .success(invoice) }
                return .success(try await freshInvoice(answering: request, for: name, signedBy: key, digest: digest))
            } catch .unavailable(.ledger(.requestAnswered)) {
                // Another process was faster.
                return await laterInvoice(digest, of: name)
            } catch {
                return .failure(error)
            }
        }
        .get()
    }

    /// The rules that need neither ledger nor node, and the key that will sign.
    private func accepted(
        _ bytes: [UInt8],
        _ expected: Offer?,
        for name: AddressName,
        _ arrival: Arrival
    ) async throws(RequestRefusal) -> (AcceptedRequest, SecretKey) {
        let network = try await network(of: name)
        do {
            let request = try InvoiceRequest(bytes: bytes)
            let mirrored = try? request.mirroredOffer()
            guard expected == nil || mirrored == expected else { throw InvoiceRequestFault.offerMismatch }
            guard let offer = mirrored, let offers, offers.isOurs(offer) else { throw RequestRefusal.unknownOffer }
            let reception = RequestReception(arrival: arrival, now: clock(), chains: [ChainHash(network)])
            let accepted = try request.accepted(for: offer, reception)
            guard let key = offers.signingKey(of: offer, pathIndex: accepted.pathIndex ?? 0) else {
                throw RequestRefusal.unknownOffer
            }
            return (accepted, key)
        } catch let fault as InvoiceRequestFault {
            throw .request(fault)
        } catch {
            throw .unknownOffer
        }
    }

    private func network(of name: AddressName) async throws(RequestRefusal) -> Network {
        let account = try await payee(name)
        let name = account.settings.backend
        guard let backend = backends[name] else { throw .unavailable(.noBackend(name)) }
        do {
            return try await node(backend, named: name).network
        } catch {
            throw .unavailable(error)
        }
    }

    func payee(_ name: AddressName) async throws(RequestRefusal) -> Account {
        do {
            return try await account(named: name)
        } catch .unavailable(let cause) {
            throw .unavailable(cause)
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

    private func earlierInvoice(_ digest: RequestDigest, of name: AddressName) async throws(RequestRefusal) -> Invoice?
    {
        let earlier: IssuedInvoice?
        do {
            earlier = try await ledger.answer(to: digest, at: clock())
        } catch {
            throw .unavailable(.ledger(error))
        }
        guard let earlier, case .bolt12(let offered) = earlier.origin else { return nil }
        // What another account gave out is none of this one's.
        guard earlier.account == name else { throw .unknownOffer }
        return offered.invoice.flatMap { try? Invoice(bytes: $0) }
    }
}
