import Contracts
import HTTPTypes
import LNURL
import LightningCoding
import LightningCrypto
import Registrations

/// Registrations as at Spark's server, by statements of version 2. They are about names only: a device registers its
/// webhook as at breez-lnurl, with the same key.
struct SparkRoutes: Sendable {
    let gateway: Gateway
    let clock: WallClock

    /// What is asked for by a path and a method.
    enum Operation {
        case register, unregister, recover, available, transfer
    }

    /// Carries an operation out.
    func answer(
        _ operation: Operation, by key: String, _ body: JSONValue, at domain: Domain
    ) async -> RegistrationAnswer {
        do throws(Refused) {
            let request = try SparkRequest(body, key: key)
            switch operation {
            case .register:
                let name = try request.name()
                let description = try request.description()
                let claim = try claim(.register(name, description: description), request, domain)
                _ = try await carryOut(.take(name, description: description), by: request.key, claim, domain)
                return .json(.object(Self.address(name, domain)))
            case .unregister:
                let name = try request.name()
                let claim = try claim(.unregister(name), request, domain)
                _ = try await carryOut(.release(name), by: request.key, claim, domain)
                return .json([:])
            case .recover:
                _ = try claim(.recover, request, domain)
                return try await recovered(RegistrationID(request.key, at: domain.name), domain)
            case .available:
                let name = try request.name()
                _ = try claim(.available(name), request, domain)
                return try await availability(of: name, to: request.key, domain)
            case .transfer: return try await transfer(request, domain)
            }
        } catch {
            return error.answer(domain)
        }
    }

    /// Whether a name is free for anybody.
    func availability(of name: String, at domain: Domain) async -> RegistrationAnswer {
        do throws(Refused) {
            let name = try rethrowing(SparkStatement.name(name), as: Refused.statement)
            return try await availability(of: name, to: nil, domain)
        } catch {
            return error.answer(domain)
        }
    }

    private func availability(
        of name: AddressName, to key: PublicKey?, _ domain: Domain
    ) async throws(Refused) -> RegistrationAnswer {
        let standing = try await awaiting(
            await gateway.ledger.standing(of: AccountID(name, at: domain.name)), as: Refused.ledger)
        let isAvailable = gateway.rules(of: domain).isAvailable(name, to: key, standing, at: clock())
        return .json(["available": .bool(isAvailable)])
    }

    private func recovered(_ id: RegistrationID, _ domain: Domain) async throws(Refused) -> RegistrationAnswer {
        let found = try await awaiting(await gateway.ledger.registration(id), as: Refused.ledger)
        guard let found, let name = found.name else { throw .unknown }
        var object = Self.address(name, domain)
        object.append("username", .string(name.text))
        object.append("description", .string(found.description ?? ""))
        return .json(.object(object))
    }

    /// Both keys sign: the present owner that the other shall have the name, and the other that it wants it.
    private func transfer(_ request: SparkRequest, _ domain: Domain) async throws(Refused) -> RegistrationAnswer {
        let name = try request.name()
        let description = try request.description()
        let owner = try request.publicKey("from_pubkey")
        let statement = SparkStatement.transferFrom(name, to: request.key)
        let claim = try self.claim(statement, request, domain, by: owner, signature: "from_signature")
        _ = try self.claim(
            .transferTo(name, from: owner, description: description), request, domain, by: request.key,
            signature: "to_signature")
        guard owner != request.key else { throw .order(.refused(.sameKey)) }
        _ = try await carryOut(.transfer(name, to: request.key, description: description), by: owner, claim, domain)
        gateway.channel.forget(RegistrationID(owner, at: domain.name))
        return .json(.object(Self.address(name, domain)))
    }

    private func claim(
        _ statement: SparkStatement, _ request: SparkRequest, _ domain: Domain, by key: PublicKey? = nil,
        signature: String = "signature"
    ) throws(Refused) -> StatementClaim {
        let text = try request.text(signature)
        let time = request.time
        return try rethrowing(
            statement.claim(
                signed: text, by: key ?? request.key, at: domain.name.text, time: time, now: clock()),
            as: Refused.statement)
    }

    private func carryOut(
        _ change: RegistrationOrder.Change, by key: PublicKey, _ claim: StatementClaim, _ domain: Domain
    ) async throws(Refused) -> Registration? {
        let order = RegistrationOrder(by: RegistrationID(key, at: domain.name), change, claiming: claim)
        return try await awaiting(
            await gateway.ledger.carryOut(order, under: gateway.rules(of: domain), at: clock()), as: Refused.order)
    }

    private static func address(_ name: AddressName, _ domain: Domain) -> JSONObject {
        let address = domain.address(of: name)
        return [
            "lnurl": .string("lnurlp://\(address.domain)/lnurlp/\(address.name)"),
            "lightning_address": .string(address.text),
        ]
    }

    fileprivate enum Refused: Error {
        case statement(StatementFault)
        case order(RegistrationFault)
        case ledger(LedgerFault)
        case unknown

        func answer(_ domain: Domain) -> RegistrationAnswer {
            switch self {
            case .statement(let fault): .string(fault.sparkText(domain), .badRequest, cause: fault.reason)
            case .order(.refused(.nameTaken)): .string("name already taken", .conflict)
            case .order(.refused(.nameReserved)): .string("name is reserved", .conflict)
            case .order(.refused(.replayed)): .string("signature has already been used", .conflict)
            case .order(.refused(.tooManyNames(let seconds))):
                .string("registration limit reached", .tooManyRequests, retryAfter: seconds)
            case .order(.refused(.notOwner)): .string("source pubkey does not own this username", .notFound)
            case .order(.refused(.sameKey)): .string("transfer source and target are the same pubkey", .badRequest)
            case .order(.ledger(let fault)), .ledger(let fault): .failed(fault)
            case .unknown: .string("user not found", .notFound)
            }
        }
    }
}

extension StatementFault {
    fileprivate func sparkText(_ domain: Domain) -> String {
        switch self {
        case .clock: "invalid timestamp"
        case .nameTooLong: "username too long"
        case .name, .dots: "invalid username"
        case .descriptionTooLong: "description too long"
        case .body: "missing signature or timestamp"
        case .key, .offer, .webhook: "invalid pubkey"
        case .signature: "invalid signature for domain '\(domain.name)'"
        }
    }
}

/// The body of a request, and the key in its path.
private struct SparkRequest {
    let key: PublicKey
    let time: UInt64
    private let body: JSONValue

    init(_ body: JSONValue, key: String) throws(SparkRoutes.Refused) {
        self.body = body
        self.key = try rethrowing(SparkStatement.key(key), as: SparkRoutes.Refused.statement)
        guard let time = body["timestamp"]?.uint64 else { throw .statement(.body) }
        self.time = time
    }

    func text(_ member: String) throws(SparkRoutes.Refused) -> String {
        guard let text = body[member]?.string else { throw .statement(.body) }
        return text
    }

    func name() throws(SparkRoutes.Refused) -> AddressName {
        let text = try text("username")
        return try rethrowing(SparkStatement.name(text), as: SparkRoutes.Refused.statement)
    }

    func description() throws(SparkRoutes.Refused) -> String {
        let text = try text("description")
        return try rethrowing(SparkStatement.description(text), as: SparkRoutes.Refused.statement)
    }

    func publicKey(_ member: String) throws(SparkRoutes.Refused) -> PublicKey {
        let text = try text(member)
        return try rethrowing(SparkStatement.key(text), as: SparkRoutes.Refused.statement)
    }
}
