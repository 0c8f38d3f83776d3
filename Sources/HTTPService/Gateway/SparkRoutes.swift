import Contracts
import HTTPTypes
import LNURL
import LightningCoding
import LightningCrypto
import Registrations
import ResponderCore

/// Registrations as at Spark's server, by statements of version 2. They are about names only: a device registers its
/// webhook as at breez-lnurl, with the same key.
struct SparkRoutes: Sendable {
    let gateway: Gateway
    let clock: WallClock

    /// What is asked for by a path and a method.
    enum Operation {
        case register, unregister, transfer, recover, available, metadata
    }

    /// Carries an operation out.
    ///
    /// - Parameters:
    ///   - operation: what is asked for.
    ///   - key: the key in the path.
    ///   - members: of the body; where there is none, of the header fields.
    ///   - reached: the domain; its host is what the wallet has signed.
    func answer(
        _ operation: Operation, by key: String, _ members: JSONValue, at reached: ReachedDomain
    ) async -> RegistrationAnswer {
        let domain = reached.domain
        do throws(Refused) {
            switch try rethrowing(statement(operation, by: key, members, at: reached), as: Refused.statement) {
            case .order(let order):
                let former = try await awaiting(await gateway.ledger.registration(order.id), as: Refused.ledger)
                let rules = try await awaiting(await gateway.rules(of: domain), as: Refused.ledger)
                let registration = try await awaiting(
                    await gateway.ledger.carryOut(order, under: rules, at: clock()), as: Refused.order)
                if order.successor != nil { gateway.channel.forget(order.id) }
                return .json(.object(order.name.map { Self.address($0, domain) } ?? [:]))
                    .changing(former, to: registration)
            case .recover(let key): return try await recovered(RegistrationID(key, at: domain.name), domain)
            case .available(let name, let key): return try await availability(of: name, to: key, domain)
            // Comments and zap requests go to the device with its question, and are kept nowhere.
            case .metadata: return .json(["metadata": []])
            }
        } catch {
            return error.answer(operation, at: reached.host)
        }
    }

    /// Whether a name is free for anybody.
    func availability(of name: String, at reached: ReachedDomain) async -> RegistrationAnswer {
        do throws(Refused) {
            let name = try rethrowing(SparkStatement.name(name), as: Refused.statement)
            return try await availability(of: name, to: nil, reached.domain)
        } catch {
            return error.answer(.available, at: reached.host)
        }
    }

    /// A request whose signatures are valid.
    private enum Statement {
        case order(RegistrationOrder)
        case recover(PublicKey)
        case available(AddressName, PublicKey)
        case metadata
    }

    private func statement(
        _ operation: Operation, by key: String, _ members: JSONValue, at reached: ReachedDomain
    ) throws(StatementFault) -> Statement {
        let request = try SparkRequest(members, key: key)
        func claim(
            _ statement: SparkStatement, by key: PublicKey? = nil, _ signature: String = "signature"
        ) throws(StatementFault) -> StatementClaim {
            try statement.claim(
                signed: request.text(signature), by: key ?? request.key, at: reached.host, time: request.time,
                now: clock())
        }
        func order(
            _ change: RegistrationOrder.Change, by key: PublicKey? = nil, _ claim: StatementClaim
        ) -> Statement {
            let id = RegistrationID(key ?? request.key, at: reached.domain.name)
            return .order(RegistrationOrder(by: id, change, claiming: claim))
        }
        switch operation {
        case .register:
            let (name, description) = (try request.name(), try request.description())
            let claim = try claim(.register(name, description: description))
            return order(.take(name, description: description), claim)
        case .unregister:
            let name = try request.name()
            return order(.release(name), try claim(.unregister(name)))
        case .transfer:
            // Both keys sign: the present owner that the other shall have the name, and the other that it wants it.
            let (name, description) = (try request.name(), try request.description())
            let owner = try request.publicKey("from_pubkey")
            let given = try claim(.transferFrom(name, to: request.key), by: owner, "from_signature")
            let accepted = try claim(.transferTo(name, from: owner, description: description), "to_signature")
            let change = RegistrationOrder.Change.transfer(
                name, to: request.key, description: description, accepted: accepted)
            return order(change, by: owner, given)
        case .recover:
            _ = try claim(.recover)
            return .recover(request.key)
        case .available:
            let name = try request.name()
            _ = try claim(.available(name))
            return .available(name, request.key)
        case .metadata:
            _ = try claim(.metadata)
            return .metadata
        }
    }

    private func availability(
        of name: AddressName, to key: PublicKey?, _ domain: Domain
    ) async throws(Refused) -> RegistrationAnswer {
        let standing = try await awaiting(
            await gateway.ledger.standing(of: AccountID(name, at: domain.name)), as: Refused.ledger)
        let rules = try await awaiting(await gateway.rules(of: domain), as: Refused.ledger)
        let isAvailable = rules.isAvailable(name, to: key, standing, at: clock())
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

    private static func address(_ name: AddressName, _ domain: Domain) -> JSONObject {
        let address = domain.address(of: name)
        return [
            "lnurl": .string("lnurlp://\(address.domain)/lnurlp/\(address.name)"),
            "lightning_address": .string(address.text),
        ]
    }

    private enum Refused: Error {
        case statement(StatementFault)
        case order(RegistrationFault)
        case ledger(LedgerFault)
        case unknown

        func answer(_ operation: Operation, at host: String) -> RegistrationAnswer {
            switch self {
            case .statement(.clock(let ahead)) where operation == .transfer:
                .string(
                    "transfer authorization is expired or not yet valid", .badRequest,
                    cause: StatementFault.clock(ahead: ahead).reason)
            case .statement(let fault): .string(fault.sparkText(host), .badRequest, cause: fault.reason)
            case .order(.refused(.nameTaken)): .string("name already taken", .conflict)
            case .order(.refused(.nameReserved)): .string("name is reserved", .conflict)
            case .order(.refused(.replayed)): .string("signature has already been used", .conflict)
            case .order(.refused(.tooManyNames(let seconds))):
                .string("registration limit reached", .tooManyRequests, retryAfter: seconds)
            case .order(.refused(.notOwner)) where operation == .unregister:
                .string("signature does not cover the registered address", .conflict)
            case .order(.refused(.notOwner)): .string("source pubkey does not own this username", .notFound)
            case .order(.refused(.sameKey)): .string("transfer source and target are the same pubkey", .badRequest)
            case .order(.ledger(let fault)), .ledger(let fault): .failed(fault)
            case .unknown: .string("user not found", .notFound)
            }
        }
    }
}

extension StatementFault {
    fileprivate func sparkText(_ host: String) -> String {
        switch self {
        case .clock: "invalid timestamp"
        case .nameTooLong: "username too long"
        case .name, .dots: "invalid username"
        case .descriptionTooLong: "description too long"
        case .body: "missing signature or timestamp"
        case .key, .offer, .webhook: "invalid pubkey"
        case .signature: "invalid signature for domain '\(host)'"
        }
    }
}
