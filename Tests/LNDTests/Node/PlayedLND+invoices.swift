import Locking
import Bolt11
import LightningCoding
import LightningCrypto
import LoopbackServer
import PlayedNode

extension PlayedLND {
    func addInvoice(_ request: LoopbackRequest) throws(Refusal) -> JSONValue {
        let invoice = try add(
            try object(
                request,
                fields: ["value_msat", "memo", "description_hash", "expiry", "private", "r_preimage", "is_blinded"]))
        return [
            "r_hash": .string(Base64.encode(invoice.played.paymentHash.bytes)),
            "payment_request": .string(invoice.played.text),
            "add_index": .string(String(invoice.addIndex)),
            "payment_addr": .string(Base64.encode(invoice.played.secret.bytes)),
        ]
    }

    /// `lnrpc/invoicesrpc/addinvoice.go`, `AddInvoice`.
    func add(_ body: JSONObject) throws(Refusal) -> Invoice {
        let (now, network, isPlainMemo) = state.withLock { ($0.now, $0.network, $0.isPlainMemo) }
        let memo = body["memo"]?.string ?? ""
        guard memo.utf8.count <= 1024 else {
            throw Refusal("memo too large: \(memo.utf8.count) bytes (maxsize=1024)")
        }
        guard let hash = try? body["description_hash"].map({ try Base64.decode($0.string ?? "?") }) ?? [] else {
            throw Refusal(400, 3, "proto: (line 1:2): invalid value for bytes field description_hash")
        }
        guard hash.isEmpty || hash.count == 32 else {
            throw Refusal("description hash is \(hash.count) bytes, must be 32")
        }
        let preimage: Preimage?
        do {
            preimage = try body["r_preimage"].map { try Preimage(try Base64.decode($0.string ?? "?")) }
        } catch {
            throw Refusal("invalid preimage length")
        }
        guard let amount = body["value_msat"]?.string.flatMap(UInt64.init),
            let expiry = body["expiry"].map({ $0.string.flatMap(UInt64.init) }) ?? 86_400, expiry <= 31_536_000,
            body["private"].map({ $0.bool != nil }) ?? true
        else { throw Refusal(400, 3, "proto: (line 1:2): invalid value") }
        let played: PlayedInvoice
        do {
            played = try PlayedInvoice(
                Millisatoshi(amount), hash.isEmpty || isPlainMemo ? .text(memo) : .hash(hash), expiry: expiry,
                preimage: preimage, routeHints: try hints(body["private"]?.bool ?? false), at: now,
                on: network == "mainnet" ? .bitcoin : Network(rawValue: network) ?? .regtest, by: key)
        } catch {
            throw Refusal("unable to encode invoice")
        }
        return try state.withLock { state throws(Refusal) in
            guard !state.invoices.contains(where: { $0.played.paymentHash == played.paymentHash }) else {
                throw Refusal("invoice with payment hash already exists")
            }
            let invoice = Invoice(played: played, memo: memo, addIndex: state.invoices.count + 1)
            state.invoices.append(invoice)
            // Listeners are told of new invoices too (`invoices/invoiceregistry.go`, `dispatchToClients`).
            state.events.append(invoice.line)
            return invoice
        }
    }

    /// `addinvoice.go`, `PopulateHopHints`: private channels only, and only when they are asked for.
    private func hints(_ isAskedFor: Bool) throws -> [RouteHint] {
        guard isAskedFor else { return [] }
        return try state.withLock { $0.channels }.filter { $0.isPrivate && $0.isActive }.map { channel in
            try RouteHint([
                RouteHint.Hop(
                    nodeID: PublicKey(hexadecimal: channel.peer),
                    shortChannelID: channel.alias == 0 ? channel.id : channel.alias, feeBase: 1500,
                    feeProportionalMillionths: 250, cltvExpiryDelta: 144)
            ])
        }
    }
}

extension PlayedLND.Invoice {
    /// An event as grpc-gateway sends it.
    var line: String { JSONValue.object(["result": json]).serialized() + "\n" }

    /// `lnrpc/invoicesrpc/utils.go`, `CreateRPCInvoice`: all fields, empty ones too (`RESTJsonMarshalOpts`), numbers of 64 bits as
    /// text, and the preimage whatever the state.
    var json: JSONValue {
        var hash: [UInt8] = []
        if case .hash(let bytes) = played.description { hash = bytes }
        let states: JSONValue =
            isAMP
            ? [
                "00": [
                    "state": "SETTLED", "settle_index": .string(String(settleIndex)), "settle_time": "0",
                    "amt_paid_msat": "1",
                ]
            ] : [:]
        return [
            "memo": .string(memo), "r_preimage": isAMP ? "" : .string(Base64.encode(played.preimage.bytes)),
            "r_hash": .string(Base64.encode(played.paymentHash.bytes)),
            "value": .string(String(played.amount.msat / 1000)), "value_msat": .string(String(played.amount.msat)),
            "settled": .bool(state == "SETTLED"), "creation_date": .string(String(played.createdAt.seconds)),
            "settle_date": .string(String(settledAt.seconds)), "payment_request": .string(played.text),
            "description_hash": .string(Base64.encode(hash)), "expiry": .string(String(played.expiry)),
            "fallback_addr": "", "cltv_expiry": "80", "route_hints": [], "private": false,
            "add_index": .string(String(addIndex)), "settle_index": .string(String(isAMP ? 0 : settleIndex)),
            "amt_paid": .string(String(received.msat)), "amt_paid_sat": .string(String(received.msat / 1000)),
            "amt_paid_msat": .string(String(received.msat)), "state": .string(state), "htlcs": [],
            "features": ["14": ["name": "payment-addr", "is_required": true, "is_known": true]],
            "is_keysend": false, "payment_addr": .string(Base64.encode(played.secret.bytes)), "is_amp": .bool(isAMP),
            "amp_invoice_state": states, "is_blinded": false,
        ]
    }
}

extension PlayedChannel {
    /// `rpcserver.go`, `createRPCOpenChannel`.
    var json: JSONValue {
        [
            "active": .bool(isActive), "remote_pubkey": .string(peer), "chan_id": .string(String(id)),
            "capacity": "10000000", "local_balance": "1000000", "remote_balance": .string(String(remoteBalance)),
            "commit_fee": .string(String(commitFee)), "private": .bool(isPrivate), "initiator": .bool(isInitiator),
            "local_constraints": [
                "chan_reserve_sat": "77", "dust_limit_sat": "354", "max_pending_amt_msat": "77", "min_htlc_msat": "77",
            ],
            "remote_constraints": [
                "chan_reserve_sat": .string(String(remoteReserve)), "dust_limit_sat": "354",
                "max_pending_amt_msat": .string(String(maximumPending)),
                "min_htlc_msat": .string(String(minimumHTLC)),
            ],
            "peer_scid_alias": .string(String(alias)),
        ]
    }
}
