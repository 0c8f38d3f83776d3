import Platform
import Bolt11
import LightningCoding
import LightningCrypto
import LoopbackServer
import FakeNode

extension FakeLND {
    func addInvoice(_ request: LoopbackRequest) throws(Refusal) -> JSONValue {
        let invoice = try add(
            try object(
                request,
                fields: ["value_msat", "memo", "description_hash", "expiry", "private", "r_preimage", "is_blinded"]))
        return [
            "r_hash": .string(Base64.encode(invoice.fake.paymentHash.bytes)),
            "payment_request": .string(invoice.fake.text),
            "add_index": .string(String(invoice.addIndex)),
            "payment_addr": .string(Base64.encode(invoice.fake.secret.bytes)),
        ]
    }

    /// `lnrpc/invoicesrpc/addinvoice.go`, `AddInvoice`.
    func add(_ body: JSONObject) throws(Refusal) -> Invoice {
        let (now, network, isPlainMemo) = state.withLock { ($0.now, $0.network, $0.isPlainMemo) }
        let memo = body["memo"]?.string ?? ""
        let hash = try bytes(body, "description_hash") ?? []
        let order = try bytes(body, "r_preimage")
        let amount = try number(body, "value_msat")
        guard memo.utf8.count <= 1024 else {
            throw Refusal("memo too large: \(memo.utf8.count) bytes (maxsize=1024)")
        }
        guard hash.isEmpty || hash.count == 32 else {
            throw Refusal("description hash is \(hash.count) bytes, must be 32")
        }
        guard order.map({ $0.count == 32 }) ?? true else {
            throw Refusal("invalid preimage length of \(order?.count ?? 0), want 32")
        }
        guard amount >= 0 else { throw Refusal("amount cannot be negative") }
        let bitcoins = amount / 100_000_000_000
        guard bitcoins <= 100_000 else {
            throw Refusal("invoice amount \(bitcoins) BTC is too large, max is 100000 BTC")
        }
        let expiry = body["expiry"] == nil ? 86_400 : try number(body, "expiry")
        guard expiry <= 31_536_000 else {
            throw Refusal(
                "expiry of \(Self.scientific(expiry)) seconds greater than max expiry of 3.1536e+07 seconds")
        }
        // The field holds 639 bytes (BOLT 11, "Tagged fields").
        guard !hash.isEmpty || memo.utf8.count < 640 else {
            throw Refusal("data length too big to fit within 10 bits: \((memo.utf8.count * 8 + 4) / 5)")
        }
        guard body["private"].map({ $0.bool != nil }) ?? true else {
            throw Refusal(400, 3, "proto: (line 1:2): invalid value for bool type")
        }
        let preimage = try? order.map { try Preimage($0) } ?? state.withLock { $0.nextPreimage }
        let fake: FakeInvoice
        do {
            fake = try FakeInvoice(
                Millisatoshi(UInt64(amount)), hash.isEmpty || isPlainMemo ? .text(memo) : .hash(hash),
                expiry: UInt64(expiry),
                preimage: preimage, routeHints: try hints(body["private"]?.bool ?? false), at: now,
                on: network == "mainnet" ? .bitcoin : Network(rawValue: network) ?? .regtest, by: key)
        } catch {
            throw Refusal("unable to encode invoice")
        }
        return try state.withLock { state throws(Refusal) in
            guard !state.invoices.contains(where: { $0.fake.paymentHash == fake.paymentHash }) else {
                throw Refusal("invoice with payment hash already exists")
            }
            let invoice = Invoice(fake: fake, memo: memo, addIndex: state.invoices.count + 1)
            state.invoices.append(invoice)
            // Subscribers also get new invoices (`invoices/invoiceregistry.go`, `dispatchToClients`).
            state.events.append(invoice.line)
            return invoice
        }
    }

    /// 64-bit numbers are strings.
    private func number(_ body: JSONObject, _ key: String) throws(Refusal) -> Int64 {
        guard let text = body[key]?.string else { return 0 }
        guard let number = Int64(text) else {
            throw Refusal(400, 3, "proto: (line 1:2): invalid value for int64 type: \"\(text)\"")
        }
        return number
    }

    private func bytes(_ body: JSONObject, _ key: String) throws(Refusal) -> [UInt8]? {
        guard let text = body[key]?.string else { return nil }
        guard let bytes = try? Base64.decode(text) else {
            throw Refusal(400, 3, "proto: (line 1:2): invalid value for bytes type: \"\(text)\"")
        }
        return bytes
    }

    /// A number of eight digits as Go prints it.
    private static func scientific(_ number: Int64) -> String {
        let digits = String(number)
        return digits.prefix(1) + "." + digits.dropFirst() + "e+07"
    }

    /// `addinvoice.go`, `PopulateHopHints`: private channels only, and only if requested.
    private func hints(_ isAskedFor: Bool) throws -> [RouteHint] {
        guard isAskedFor else { return [] }
        return try state.withLock { $0.channels }.filter { $0.isPrivate && $0.isActive }.map { channel in
            try RouteHint([
                RouteHint.Hop(
                    nodeID: PublicKey(hexadecimal: channel.peer),
                    shortChannelID: ShortChannelID(channel.alias == 0 ? channel.id : channel.alias), feeBase: 1500,
                    feeProportionalMillionths: 250, cltvExpiryDelta: 144)
            ])
        }
    }
}

extension FakeLND.Invoice {
    /// An event as grpc-gateway sends it.
    var line: String { JSONValue.object(["result": json]).serialized() + "\n" }

    /// With all members, even empty ones, 64-bit numbers as strings, and the preimage in any state. AMP payments were
    /// not recorded (`lnrpc/invoicesrpc/utils.go`, `CreateRPCInvoice`).
    var json: JSONValue {
        var hash: [UInt8] = []
        if case .hash(let bytes) = fake.description { hash = bytes }
        let states: JSONValue =
            isAMP
            ? [
                "00": [
                    "state": "SETTLED", "settle_index": .string(String(settleIndex)), "settle_time": "0",
                    "amt_paid_msat": "1",
                ]
            ] : [:]
        let amount = JSONValue.string(String(received.msat))
        let htlc = Recorded.htlc.with(["amt_msat": amount, "mpp_total_amt_msat": amount])
        var records = JSONObject()
        for type in 65_536..<65_736 where canceledHTLCs > 0 { records[String(type)] = "AA==" }
        let canceled = JSONValue.object(Recorded.htlc.with(["state": "CANCELED", "custom_records": .object(records)]))
        return .object(
            Recorded.invoice.with([
                "memo": .string(memo), "r_preimage": isAMP ? "" : .string(Base64.encode(fake.preimage.bytes)),
                "r_hash": .string(Base64.encode(fake.paymentHash.bytes)),
                "value": .string(String(fake.amount.msat / 1000)), "value_msat": .string(String(fake.amount.msat)),
                "settled": .bool(state == "SETTLED"), "creation_date": .string(String(fake.createdAt.seconds)),
                "settle_date": .string(String(settledAt.seconds)), "payment_request": .string(fake.text),
                "description_hash": .string(Base64.encode(hash)), "expiry": .string(String(fake.expiry)),
                "add_index": .string(String(addIndex)),
                "settle_index": .string(isUnnumbered ? "first" : String(isAMP ? 0 : settleIndex)),
                "amt_paid": amount, "amt_paid_sat": .string(String(received.msat / 1000)),
                "amt_paid_msat": isOdd ? "much" : amount,
                "state": .string(state),
                "htlcs":
                    .array(
                        Array(repeating: canceled, count: canceledHTLCs) + (state == "SETTLED" ? [.object(htlc)] : [])),
                "payment_addr": .string(Base64.encode(fake.secret.bytes)), "is_amp": .bool(isAMP),
                "amp_invoice_state": states,
            ]))
    }
}

extension FakeChannel {
    var json: JSONValue {
        let constraints = Recorded.channel["remote_constraints"]?.object ?? [:]
        let theirs = constraints.with([
            "chan_reserve_sat": .string(String(remoteReserve)),
            "max_pending_amt_msat": .string(String(maximumPending)), "min_htlc_msat": .string(String(minimumHTLC)),
        ])
        let ours = constraints.with([
            "chan_reserve_sat": .string(String(localReserve)), "max_pending_amt_msat": "18446744073709551615",
            "min_htlc_msat": "0",
        ])
        return .object(
            Recorded.channel.with([
                "active": .bool(isActive), "remote_pubkey": .string(peer), "chan_id": .string(String(id)),
                "capacity": "10000000", "local_balance": .string(String(localBalance)),
                "remote_balance": .string(String(remoteBalance)),
                "fee_per_kw": .string(String(feePerKiloweight)), "commit_weight": .string(String(commitWeight)),
                "private": .bool(isPrivate), "initiator": .bool(isInitiator), "local_constraints": .object(ours),
                "remote_constraints": .object(theirs), "peer_scid_alias": .string(String(alias)),
            ]))
    }
}
