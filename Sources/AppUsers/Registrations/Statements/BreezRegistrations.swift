import LNURL
package import LightningCoding
import LightningCrypto
package import ResponderModel

/// Registrations as at breez-lnurl: same statements, statuses and texts.
package struct BreezRegistrations: Sendable {
    private let gateway: Gateway
    private let clock: WallClock

    package init(_ gateway: Gateway, clock: @escaping WallClock) {
        self.gateway = gateway
        self.clock = clock
    }

    package func answer(
        _ operation: BreezOperation, by key: String, _ body: JSONValue?, at domain: Domain
    ) async -> RegistrationAnswer {
        do throws(Refused) {
            let (request, statement) = try statement(operation, by: key, body, at: domain)
            let id = RegistrationID(statement.key, at: domain.name)
            guard let change = try await change(operation, request, statement) else { return .done }
            let former = try await Refused.asking(await gateway.ledger.registration(id))
            let rules = try await Refused.asking(await gateway.rules(of: domain))
            let order = RegistrationOrder(by: id, change, claiming: statement.claims)
            let registration = try await awaiting(
                await gateway.ledger.carryOut(order, under: rules, at: clock()), as: Refused.order)
            if registration == nil { gateway.channel.forget(id) }
            return try shown(operation, registration, domain).changing(former, to: registration)
        } catch {
            return error.answer
        }
    }

    private func statement(
        _ operation: BreezOperation, by key: String, _ body: JSONValue?, at domain: Domain
    ) throws(Refused) -> (BreezRequest, BreezStatement) {
        do throws(StatementFault) {
            guard let body else { throw .body }
            let request = try BreezRequest(json: body)
            return (request, try BreezStatement(operation, request, by: key, at: domain.name.text, now: clock()))
        } catch {
            throw .statement(error)
        }
    }

    /// What the statement orders; nil for nothing: a webhook that is not allowed is not registered either.
    private func change(
        _ operation: BreezOperation, _ request: BreezRequest, _ statement: BreezStatement
    ) async throws(Refused) -> RegistrationOrder.Change? {
        switch operation {
        case .register:
            let webhook = try rethrowing(gateway.webhook(request.webhook), as: Refused.webhook)
            guard try await Refused.asking(await gateway.maySend(to: webhook)) else {
                throw .webhook(.own)
            }
            return .register(webhook: webhook, name: statement.name, offer: statement.offer)
        case .unregister: return (try? WebhookURL(request.webhook)).map { .unregister(webhook: $0) }
        case .registerOffer:
            guard let name = statement.name, let offer = statement.offer else { throw .statement(.offer) }
            return .offer(offer, name: name)
        case .unregisterOffer: return .withdrawOffer
        case .recover, .recoverOffer: return .recover
        }
    }

    /// The answer to an operation, given what is registered after it.
    private func shown(
        _ operation: BreezOperation, _ registration: Registration?, _ domain: Domain
    ) throws(Refused) -> RegistrationAnswer {
        switch operation {
        // An empty body, as upstream, is no JSON, which wallets expect.
        case .unregister, .unregisterOffer: return .json([:])
        case .register, .recover:
            guard let registration, registration.webhook != nil else { throw .unknown }
            return .json(registration.breezJSON(domain))
        case .registerOffer, .recoverOffer:
            guard registration?.offer != nil, registration?.name != nil else { throw .unknown }
            // Nothing publishes the offer in the DNS, so there is no `bip353_address` at which a payer would find it.
            return .json([:])
        }
    }

    private enum Refused: LedgerFaultConvertible {
        case statement(StatementFault)
        case webhook(WebhookURLFault)
        case order(RegistrationFault)
        case ledger(LedgerFault)
        case unknown

        /// Wallets know `invalid signature` for nearly everything; the operator learns what it was.
        var answer: RegistrationAnswer {
            switch self {
            case .statement(.body): .text("invalid json", 400)
            case .statement(let fault): .text("invalid signature", 401, cause: fault.reason)
            case .webhook(let fault): .text("invalid webhook_url: \(fault.reason)", 400)
            case .order(.refused(.nameTaken(let name))), .order(.refused(.nameReserved(let name))):
                .text("username conflict: \(name)", 409)
            case .order(.refused(.tooManyNames(let seconds))):
                .text("too many changes of the username", 429, retryAfter: seconds)
            case .order(.refused(let refusal)):
                .text("invalid signature", 401, cause: refusal.reason)
            case .order(.ledger(let fault)), .ledger(let fault): .failed(fault)
            case .unknown: .empty(404)
            }
        }
    }
}

extension Registration {
    /// `{"lnurl":…,"lightning_address":…}`: the LNURL is that of the key, and so outlives every name.
    fileprivate func breezJSON(_ domain: Domain) -> JSONValue {
        let url = domain.base(of: name ?? .root).appendingPath("/lnurlp/\(id.key.hexadecimal)")
        var object: JSONObject = ["lnurl": .string(EncodedURL.encode(url))]
        if let name { object.append("lightning_address", .string(domain.address(of: name).text)) }
        return .object(object)
    }
}
