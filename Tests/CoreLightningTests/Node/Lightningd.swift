import LightningCoding
import LightningCrypto
import Platform

/// A fake Core Lightning node: its responses and errors have the wording of the real one
/// (`Tests/Recorded/core-lightning.json`; `ReplayTests` compares).
final class Lightningd: Sendable {
    struct RPCError: Error {
        let code: Int64
        let message: String
    }

    struct Record: Sendable {
        let label: String
        let bolt11: String?
        let amount: Millisatoshi
        let preimage: Preimage
        let description: String
        let expiresAt: UInt64
        let createdIndex: UInt64
        var payIndex: UInt64?
        var received = Millisatoshi.zero
        var paidAt: UInt64 = 0
        var offerID: String?

        func status(at now: UInt64) -> String {
            payIndex != nil ? "paid" : now >= expiresAt ? "expired" : "unpaid"
        }
    }

    struct State: Sendable {
        var now: UInt64 = 1_795_227_085
        var records: [Record] = []
        var offers: [JSONObject] = []
        var lastPayIndex: UInt64 = 0
        var lastCreatedIndex: UInt64 = 0
        /// The `channels` of `listpeerchannels`.
        var channels = Recorded.channels
        /// Members of `getinfo` that tests change.
        var network = "regtest"
        var warnings: JSONObject = [:]
        /// Members of `waitanyinvoice` and `listinvoices` to return wrongly.
        var corruption: JSONObject = [:]
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
    }

    struct Waiter: Sendable {
        let last: UInt64
        let answer: @Sendable (Result<JSONValue, RPCError>) -> Void
    }

    let state: Guarded<State>
    let key: SecretKey

    init(key byte: UInt8 = 7) throws {
        key = try SecretKey(Array(repeating: byte, count: 32))
        state = Guarded(State())
    }

    /// The response to a command; or, for one that waits, who gets it later.
    func perform(
        _ method: String, _ given: JSONObject, filter: JSONValue?, raw: [UInt8],
        answer: @escaping @Sendable (Result<JSONValue, RPCError>) -> Void
    ) {
        do throws(RPCError) {
            let parameters = try Parameters(method, given)
            if method == "waitanyinvoice" { return try wait(parameters, answer) }
            let result = try state.withLock { state throws(RPCError) in
                try self.answer(method, parameters, raw, &state)
            }
            answer(.success(filter.map { result.filtered(by: $0) } ?? result))
        } catch {
            answer(.failure(error))
        }
    }

    private func answer(
        _ method: String, _ parameters: Parameters, _ raw: [UInt8], _ state: inout State
    ) throws(RPCError) -> JSONValue {
        switch method {
        case "getinfo": getinfo(state)
        case "listpeerchannels": listpeerchannels(parameters, state)
        case "invoice": try invoice(parameters, raw, &state)
        case "listinvoices": try listinvoices(parameters, state)
        case "wait": ["subsystem": "invoices", "created": .unsigned(state.lastCreatedIndex)]
        case "delinvoice": try delinvoice(parameters, &state)
        case "offer": try offer(parameters, &state)
        case "listoffers": listoffers(parameters, state)
        case "disableoffer": try disableoffer(parameters, &state)
        default: throw RPCError(code: -32601, message: "Unknown command '\(method)'")
        }
    }

    private func getinfo(_ state: State) -> JSONValue {
        var info: JSONObject = [
            "id": .string(key.publicKey.hexadecimal), "alias": "node2", "version": "v26.06.6", "blockheight": 115,
            "network": .string(state.network),
        ]
        for member in state.warnings.members { info.append(member.key, member.value) }
        return .object(info)
    }

    private func wait(
        _ parameters: Parameters, _ answer: @escaping @Sendable (Result<JSONValue, RPCError>) -> Void
    ) throws(RPCError) {
        let last = try parameters.number("lastpay_index") ?? 0
        let timeout = try parameters.number("timeout")
        let found = state.withLock { state -> JSONValue? in
            if let next = state.payment(after: last) { return state.shown(next) }
            if timeout == 0 { return nil }
            state.waiters[state.nextWaiter] = Waiter(last: last, answer: answer)
            state.nextWaiter += 1
            return .null
        }
        switch found {
        case nil: throw .waitTimedOut
        case .null: return
        case let found?: answer(.success(found))
        }
    }
}

extension Lightningd.RPCError {
    static let waitTimedOut = Self(code: 904, message: "Timed out while waiting for invoice to be paid")
}

extension Lightningd.State {
    func payment(after last: UInt64) -> Lightningd.Record? {
        records.filter { ($0.payIndex ?? 0) > last }.min { ($0.payIndex ?? 0) < ($1.payIndex ?? 0) }
    }

    /// An invoice in the node's format.
    func shown(_ record: Lightningd.Record) -> JSONValue {
        var object: JSONObject = ["label": .string(record.label)]
        if let bolt11 = record.bolt11 { object["bolt11"] = .string(bolt11) }
        // The text of another invoice: we have none for what was never requested.
        if record.offerID != nil { object["bolt12"] = .string(Recorded.bolt12) }
        object["payment_hash"] = .string(record.preimage.paymentHash.hexadecimal)
        object["amount_msat"] = .unsigned(record.amount.msat)
        object["status"] = .string(record.status(at: now))
        if let index = record.payIndex {
            object["pay_index"] = .unsigned(index)
            object["amount_received_msat"] = .unsigned(record.received.msat)
            object["paid_at"] = .unsigned(record.paidAt)
            object["payment_preimage"] = .string(record.preimage.hexadecimal)
        }
        object["description"] = .string(record.description)
        object["expires_at"] = .unsigned(record.expiresAt)
        if let offerID = record.offerID {
            object["local_offer_id"] = .string(offerID)
            object["invreq_payer_note"] = "hi there"
        }
        object["created_index"] = .unsigned(record.createdIndex)
        if let index = record.payIndex { object["updated_index"] = .unsigned(index) }
        for member in corruption.members { object[member.key] = member.value }
        return .object(object)
    }
}

extension JSONValue {
    /// lightningd's filter: keeps members with `true`; an object with `true` loses its members.
    func filtered(by filter: JSONValue) -> JSONValue {
        switch (self, filter) {
        case (.object(let object), .object(let wanted)):
            var left = JSONObject()
            for member in object.members {
                if let filter = wanted[member.key] { left.append(member.key, member.value.filtered(by: filter)) }
            }
            return .object(left)
        case (.array(let elements), .array(let wanted)):
            return .array(elements.map { element in wanted.first.map { element.filtered(by: $0) } ?? element })
        case (.object, .bool(true)): return [:]
        default: return self
        }
    }
}
