import Platform
import Glibc
import LightningCoding
import LightningCrypto
import LoopbackServer
import FakeNode

extension FakeLND {
    /// The permission that a call needs (`rpcserver.go`, `MainRPCServerPermissions`; `invoicesrpc/invoices_server.go`,
    /// `macPermissions`); nil when there is no such call.
    private func permission(_ request: LoopbackRequest) -> String? {
        switch (request.method, request.path) {
        case ("GET", "/v1/getinfo"): "info:read"
        case ("GET", let path) where path.hasPrefix("/v1/graph/edge/"): "info:read"
        case ("GET", "/v1/channels"), ("GET", "/v1/balance/channels"): "offchain:read"
        case ("GET", "/v1/invoices"), ("GET", "/v1/invoices/subscribe"): "invoices:read"
        case ("GET", let path) where path.hasPrefix("/v1/invoice/"): "invoices:read"
        case ("POST", "/v1/invoices"), ("POST", "/v2/invoices/cancel"): "invoices:write"
        default: nil
        }
    }

    func answer(_ request: LoopbackRequest, _ connection: LoopbackConnection) -> LoopbackAnswer? {
        guard let needed = permission(request) else { return Refusal(404, 5, "Not Found").answer }
        do throws(Refusal) {
            try authorize(request, needed)
            switch (request.method, request.path) {
            case (_, "/v1/getinfo"): return LoopbackAnswer(info().serialized())
            case (_, "/v1/channels"): return LoopbackAnswer(try channels(request).serialized())
            case (_, "/v1/balance/channels"): return LoopbackAnswer(Recorded.answer("balance").serialized())
            case ("GET", "/v1/invoices"): return LoopbackAnswer(try list(request).serialized())
            case (_, "/v1/invoices"): return LoopbackAnswer(try addInvoice(request).serialized())
            case (_, "/v2/invoices/cancel"): return LoopbackAnswer(try cancel(request).serialized())
            case (_, "/v1/invoices/subscribe"):
                try subscribe(request, connection)
                return nil
            case (_, let path) where path.hasPrefix("/v1/graph/edge/"):
                return LoopbackAnswer(try edge(String(path.dropFirst(15))).serialized())
            case (_, let path):
                return LoopbackAnswer(try lookUp(String(path.dropFirst(12))).serialized())
            }
        } catch {
            // Errors of an open subscription are in an envelope; errors of the gateway itself are not.
            let isStreamed = request.path == "/v1/invoices/subscribe" && error.status != 400
            return isStreamed
                ? LoopbackAnswer(status: error.status, JSONValue.object(["error": error.body]).serialized() + "\n")
                : error.answer
        }
    }

    /// An error as grpc-gateway writes it, with the status for its code (`HTTPStatusFromCode`).
    struct Refusal: Error {
        let status: Int
        let body: JSONValue

        init(_ status: Int, _ code: Int, _ message: String) {
            self.status = status
            body = ["code": .integer(code), "message": .string(message), "details": []]
        }

        /// An error without a code of LND's own has gRPC's 2, `UNKNOWN`.
        init(_ message: String) {
            self.init(500, 2, message)
        }

        var answer: LoopbackAnswer { LoopbackAnswer(status: status, body.serialized()) }
    }

    /// The macaroon is checked before anything else (`macaroons/service.go`; `rpcperms/interceptor.go` for a locked
    /// wallet).
    private func authorize(_ request: LoopbackRequest, _ needed: String) throws(Refusal) {
        let (words, macaroons) = state.withLock { ($0.isNotReady, $0.macaroons) }
        if let words { throw Refusal(words) }
        guard let given = request.header("grpc-metadata-macaroon") else { throw Refusal("expected 1 macaroon, got 0") }
        guard let bytes = try? Hexadecimal.decode(given) else {
            throw Refusal("encoding/hex: invalid byte: U+007A 'z'")
        }
        // The version, and the location field.
        guard bytes.starts(with: [2, 1]) else {
            throw Refusal("unmarshal v2: field data extends past end of buffer")
        }
        guard let allowed = macaroons[given] else {
            throw Refusal("verification failed: signature mismatch after caveat verification")
        }
        guard allowed.contains(needed) else { throw Refusal("permission denied") }
    }

    private func info() -> JSONValue {
        let (network, version, knowsRouteBlinding) = state.withLock { ($0.network, $0.version, $0.knowsRouteBlinding) }
        var features = Recorded.info["features"]?.object ?? [:]
        if !knowsRouteBlinding { features["25"] = nil }
        return .object(
            Recorded.info.with([
                "version": .string(version), "identity_pubkey": .string(key.publicKey.hexadecimal), "alias": "fake",
                "block_height": 812_345,
                "chains": [["chain": "bitcoin", "network": .string(network)]], "features": .object(features),
            ]))
    }

    /// `rpcserver.go`, `ListChannels`: only active ones, or those with a peer, if requested.
    private func channels(_ request: LoopbackRequest) throws(Refusal) -> JSONValue {
        let all = state.withLock { $0.channels }
        let isActiveOnly = request.query("active_only") == "true"
        let peer = try request.query("peer").map { text throws(Refusal) in
            guard let bytes = try? Base64.decode(PercentEncoding.decode(text, plusIsSpace: true)) else {
                throw Refusal(400, 3, "illegal base64 data")
            }
            guard bytes.count == 33 else { throw Refusal("invalid `peer` key") }
            return Hexadecimal.encode(bytes)
        }
        let found = all.filter { ($0.isActive || !isActiveOnly) && (peer == nil || $0.peer == peer) }
        return ["channels": .array(found.map(\.json))]
    }

    private func edge(_ id: String) throws(Refusal) -> JSONValue {
        guard let channel = state.withLock({ $0.channels }).first(where: { String($0.id) == id }) else {
            throw Refusal("edge not found")
        }
        let own = key.publicKey.hexadecimal
        let isFirst = channel.peer < own
        let policy = Recorded.policy.with([
            "time_lock_delta": 144, "min_htlc": .string(String(channel.forwardMinimum)), "fee_base_msat": "1500",
            "fee_rate_milli_msat": "250", "disabled": .bool(channel.isDisabled), "max_htlc_msat": "4000000000",
        ])
        let ours = Recorded.policy.with(["min_htlc": "1", "fee_base_msat": "7", "max_htlc_msat": "7000"])
        return .object(
            Recorded.edge.with([
                "channel_id": .string(id), "node1_pub": .string(isFirst ? channel.peer : own),
                "node2_pub": .string(isFirst ? own : channel.peer), "node1_policy": .object(isFirst ? policy : ours),
                "node2_policy": .object(isFirst ? ours : policy),
            ]))
    }

    /// `rpcserver.go`, `LookupInvoice`.
    private func lookUp(_ digits: String) throws(Refusal) -> JSONValue {
        guard let bytes = try? Hexadecimal.decode(digits) else {
            throw Refusal("encoding/hex: invalid byte: U+0078 'x'")
        }
        guard bytes.count == 32 else {
            throw Refusal("payment hash must be exactly 32 bytes, is instead \(bytes.count)")
        }
        let invoices = state.withLock { $0.invoices }
        guard !invoices.isEmpty else { throw Refusal("there are no existing invoices") }
        guard let invoice = invoices.first(where: { $0.fake.paymentHash.bytes == bytes })
        else { throw Refusal(404, 5, "unable to locate invoice") }
        return invoice.json
    }

    /// `invoices/interface.go`, `QueryInvoices`: after an add index, oldest first; reversed, those before it, or the
    /// newest, in the same order.
    private func list(_ request: LoopbackRequest) throws(Refusal) -> JSONValue {
        let offset = try number(request, "index_offset", otherwise: 0)
        let limit = try number(request, "num_max_invoices", otherwise: 100)
        let (all, longest) = state.withLock { ($0.invoices, $0.longestPage) }
        guard limit <= longest else {
            throw Refusal(429, 8, "grpc: received message larger than max (209715201 vs. 209715200)")
        }
        let page =
            request.query("reversed") == "true"
            ? all.filter { offset == 0 || $0.addIndex < offset }.suffix(limit)
            : all.filter { $0.addIndex > offset }.prefix(limit)
        return [
            "invoices": .array(page.map(\.json)),
            "last_index_offset": .string(String(page.last?.addIndex ?? 0)),
            "first_index_offset": .string(String(page.first?.addIndex ?? 0)),
        ]
    }

    /// `invoices/invoiceregistry.go`, `CancelInvoice`: canceling twice succeeds.
    private func cancel(_ request: LoopbackRequest) throws(Refusal) -> JSONValue {
        let body = try object(request, fields: ["payment_hash"])
        guard let hash = try? Base64.decode(body["payment_hash"]?.string ?? "") else {
            throw Refusal(400, 3, "proto: (line 1:2): invalid value for bytes type")
        }
        guard hash.count == 32 else { throw Refusal("invalid hash length of \(hash.count), want 32") }
        try state.withLock { state throws(Refusal) in
            guard let index = state.invoices.firstIndex(where: { $0.fake.paymentHash.bytes == hash }) else {
                throw Refusal("unable to locate invoice")
            }
            guard state.invoices[index].state != "SETTLED" else { throw Refusal("invoice already settled") }
            state.invoices[index].state = "CANCELED"
        }
        return [:]
    }

    /// `rpcserver.go`, `SubscribeInvoices`: settlements after the index, unless it is 0 (`channeldb/invoices.go`), then
    /// new events. The status is sent with the first event (grpc-gateway, `ForwardResponseStream`).
    private func subscribe(_ request: LoopbackRequest, _ connection: LoopbackConnection) throws(Refusal) {
        let after = try number(request, "settle_index", otherwise: 0)
        let generation = server.generation
        var (told, backlog) = state.withLock { state in
            let settled = state.invoices.filter { $0.settleIndex > after && after > 0 }
            return (state.events.count, settled.sorted { $0.settleIndex < $1.settleIndex }.map(\.line))
        }
        var isBegun = false
        // A server that was closed before the generation was read is not well.
        while server.generation == generation, case .well = server.mode, !connection.isAbandoned {
            let lines =
                backlog
                + state.withLock { state in
                    defer { told = state.events.count }
                    return state.events[told...]
                }
            backlog = []
            if !lines.isEmpty, !isBegun {
                isBegun = true
                connection.write(
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
            }
            for line in lines {
                guard connection.write("\(String(line.utf8.count, radix: 16))\r\n\(line)\r\n") else { return }
            }
            poll(nil, 0, 1)
        }
        if isBegun, server.generation != generation { connection.write("0\r\n\r\n") }
    }

    private func number(_ request: LoopbackRequest, _ key: String, otherwise: Int) throws(Refusal) -> Int {
        guard let text = request.query(key) else { return otherwise }
        guard let number = Int(text) else {
            throw Refusal(400, 3, "parsing field \"\(key)\": strconv.ParseUint: parsing \"\(text)\": invalid syntax")
        }
        return number
    }

    /// A body without unknown members: protocol buffers reject others (`lnrpc/rpc_utils.go`, `RESTJsonUnmarshalOpts`).
    func object(_ request: LoopbackRequest, fields: Set<String>) throws(Refusal) -> JSONObject {
        guard let body = (try? JSONValue(parsing: request.body))?.object else {
            throw Refusal(400, 3, "unexpected EOF")
        }
        if let unknown = body.members.first(where: { !fields.contains($0.key) }) {
            throw Refusal(400, 3, "proto: (line 1:2): unknown field \"\(unknown.key)\"")
        }
        return body
    }
}
