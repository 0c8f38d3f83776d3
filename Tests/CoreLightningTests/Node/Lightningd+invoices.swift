import Bolt11
import LightningCoding
import LightningCrypto
import Platform

extension Lightningd {
    func invoice(_ parameters: Parameters, _ raw: [UInt8], _ state: inout State) throws(RPCError) -> JSONValue {
        let amount = try parameters.amount()
        let label = try parameters.text("label")
        let description = try parameters.text("description")
        guard !Parameters.hasUnicodeEscape(raw) else {
            throw .badParameter("description: should be a string (without \\u): invalid token '\"a\\u0001b\"'")
        }
        let isHashed = try parameters.truth("deschashonly") ?? false
        guard isHashed || description.utf8.count <= 639 else {
            throw .badParameter(
                "Description greater than 639 bytes invalid (description length \(description.utf8.count))")
        }
        let preimage = try parameters.preimage() ?? randomPreimage()
        guard !state.records.contains(where: { $0.preimage == preimage }) else {
            throw RPCError(code: 901, message: "preimage already used")
        }
        guard !state.records.contains(where: { $0.label == label }) else {
            throw RPCError(code: 900, message: "Duplicate label '\(label)'")
        }
        let expiry = try parameters.number("expiry") ?? 604_800
        let signed = sign(amount, preimage, description, isHashed, expiry, at: state.now)
        state.lastCreatedIndex += 1
        state.records.append(
            Record(
                label: label, bolt11: signed, amount: amount ?? .zero, preimage: preimage, description: description,
                expiresAt: state.now + expiry, createdIndex: state.lastCreatedIndex))
        var answer: JSONObject = [
            "payment_hash": .string(preimage.paymentHash.hexadecimal), "expires_at": .unsigned(state.now + expiry),
            "bolt11": .string(signed), "payment_secret": .string(String(repeating: "33", count: 32)),
            "created_index": .unsigned(state.lastCreatedIndex),
        ]
        if let amount, state.receivable <= amount.msat {
            answer["warning_capacity"] = "Insufficient incoming channel capacity to pay invoice"
        } else {
            answer["warning_deadends"] = "Insufficient incoming capacity, once dead-end peers were excluded"
        }
        return .object(answer)
    }

    private func randomPreimage() -> Preimage {
        // The system's generator does not fail in a test.
        (try? Preimage(random: SystemRandom.bytes)) ?? Recorded.preimage
    }

    private func sign(
        _ amount: Millisatoshi?, _ preimage: Preimage, _ description: String, _ isHashed: Bool, _ expiry: UInt64,
        at now: UInt64
    ) -> String {
        guard let secret = try? PaymentSecret(Array(repeating: 0x33, count: 32)) else { return "" }
        let draft = Bolt11Draft(
            network: .regtest, amount: amount, timestamp: UnixTime(now), paymentHash: preimage.paymentHash,
            paymentSecret: secret,
            description: isHashed ? .hash(SHA256.hash(Array(description.utf8))) : .text(description), expiry: expiry)
        return (try? draft.signed(by: key).text) ?? ""
    }

    func listinvoices(_ parameters: Parameters, _ state: State) throws(RPCError) -> JSONValue {
        let hash = try parameters.hash("payment_hash")
        let label = try? parameters.text("label")
        let found = state.records.filter { record in
            (hash == nil || record.preimage.paymentHash.hexadecimal == hash) && (label == nil || record.label == label)
        }
        return ["invoices": .array(found.map(state.shown))]
    }

    func delinvoice(_ parameters: Parameters, _ state: inout State) throws(RPCError) -> JSONValue {
        let label = try parameters.text("label")
        let status = try parameters.text("status")
        guard let index = state.records.firstIndex(where: { $0.label == label }) else {
            throw RPCError(code: 905, message: "Unknown invoice")
        }
        let actual = state.records[index].status(at: state.now)
        guard actual == status else {
            throw RPCError(code: 906, message: "Invoice status is \(actual) not \(status)")
        }
        return state.shown(state.records.remove(at: index))
    }
}

// MARK: - Events at the node

extension Lightningd {
    struct Refusal: Error {}

    /// A payment arrives; rejected as in BOLT 4 when it is less than the amount, more than twice the amount, or too
    /// late.
    func pay(_ bolt11: String, _ amount: Millisatoshi) throws {
        let isPaid = state.withLock { state -> Bool in
            guard let index = state.records.firstIndex(where: { $0.bolt11 == bolt11 }),
                state.records[index].status(at: state.now) == "unpaid", amount >= state.records[index].amount,
                amount.msat <= 2 * state.records[index].amount.msat
            else { return false }
            state.settle(index, amount)
            return true
        }
        guard isPaid else { throw Refusal() }
        wake()
    }

    /// A payment of an offer of the node's own arrives.
    func pay(offer id: String, _ amount: Millisatoshi) throws {
        let preimage = randomPreimage()
        try state.withLock { state throws(RPCError) in
            guard state.offers.contains(where: { $0["offer_id"]?.string == id && $0["active"]?.bool == true }) else {
                throw RPCError(code: 1003, message: "Offer no longer available")
            }
            state.lastCreatedIndex += 1
            state.records.append(
                Record(
                    label: "\(id)-payer-\(state.lastCreatedIndex)", bolt11: nil, amount: amount, preimage: preimage,
                    description: "", expiresAt: state.now + 7200, createdIndex: state.lastCreatedIndex, offerID: id))
            state.settle(state.records.count - 1, amount)
        }
        wake()
    }

    /// Ends the waits of all waiting commands.
    func timeOutWaiters() {
        for waiter in takeWaiters({ _, _ in true }) { waiter.answer(.failure(.waitTimedOut)) }
    }

    private func wake() {
        let woken = takeWaiters { state, waiter in state.payment(after: waiter.last) != nil }
        for waiter in woken {
            let shown = state.withLock { state in state.payment(after: waiter.last).map(state.shown) }
            if let shown { waiter.answer(.success(shown)) }
        }
    }

    private func takeWaiters(_ isMeant: @Sendable (State, Waiter) -> Bool) -> [Waiter] {
        state.withLock { state in
            let meant = state.waiters.filter { isMeant(state, $0.value) }
            for number in meant.keys { state.waiters[number] = nil }
            return meant.sorted { $0.key < $1.key }.map(\.value)
        }
    }
}

extension Lightningd.State {
    var receivable: UInt64 {
        channels.reduce(0) { $0 + ($1["receivable_msat"]?.uint64 ?? 0) }
    }

    mutating func settle(_ index: Int, _ amount: Millisatoshi) {
        lastPayIndex += 1
        records[index].payIndex = lastPayIndex
        records[index].received = amount
        records[index].paidAt = now
    }
}
