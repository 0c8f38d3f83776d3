import Platform
import Bolt12
import Bolt11
import LightningCoding
import LightningCrypto
import LoopbackServer
import FakeNode

extension FakePhoenixd {
    /// An error as text (`Api.kt`, `StatusPages`).
    struct Refusal: Error {
        let status: Int
        let text: String

        /// A parameter of another kind is a bad request (Ktor's exception of that name).
        static func malformed(_ name: String, _ type: String) -> Refusal {
            Refusal(status: 400, text: "Request parameter \(name) couldn't be parsed/converted to \(type)")
        }

        var answer: LoopbackAnswer { LoopbackAnswer(status: status, text, type: "text/plain; charset=UTF-8") }
    }

    func answer(_ request: LoopbackRequest) -> LoopbackAnswer {
        do throws(Refusal) {
            try authorize(request)
            switch (request.method, request.path) {
            case ("GET", "/getinfo"): return LoopbackAnswer(info().serialized())
            case ("GET", "/getoffer"):
                let (status, text) = state.withLock { ($0.offerStatus, $0.offerText) }
                return LoopbackAnswer(status: status, text ?? offer.text, type: "text/plain; charset=UTF-8")
            case ("POST", "/createinvoice"): return LoopbackAnswer(try createInvoice(request).serialized())
            case ("GET", "/payments/incoming"): return LoopbackAnswer(try list(request).serialized())
            case ("GET", let path) where path.hasPrefix("/payments/incoming/"):
                return LoopbackAnswer(try lookUp(String(path.dropFirst(19))).serialized())
            case (_, "/getinfo"), (_, "/getoffer"), (_, "/createinvoice"), (_, "/payments/incoming"):
                throw Refusal(status: 405, text: "Invalid http method (use the correct GET/POST)")
            default: throw Refusal(status: 404, text: "Unknown endpoint (check api doc)")
            }
        } catch {
            return error.answer
        }
    }

    /// Any user name will do (`Api.kt`, `basic`: the password alone is compared).
    private func authorize(_ request: LoopbackRequest) throws(Refusal) {
        let words = request.header("authorization")?.split(separator: " ") ?? []
        let credentials = words.count == 2 && words[0] == "Basic" ? try? Base64.decode(words[1]) : nil
        let given = credentials.map { String(decoding: $0, as: UTF8.self).drop { $0 != ":" }.dropFirst() }
        guard given.map(String.init) == Self.password else {
            throw Refusal(
                status: 401, text: "Invalid authentication (use basic auth with the http password set in phoenix.conf)")
        }
    }

    /// `Api.kt`, `getinfo`: what is null is left out (`explicitNulls = false`).
    private func info() -> JSONValue {
        let state = state.withLock { $0 }
        var info: JSONObject = [
            "nodeId": .string(key.publicKey.hexadecimal), "channels": .array(state.channels),
            "chain": .string(state.chain),
        ]
        if state.knowsHeight { info["blockHeight"] = 812_345 }
        info["version"] = "0.7.2-402c2ea"
        return .object(info)
    }

    /// `Api.kt`, `createinvoice`.
    private func createInvoice(_ request: LoopbackRequest) throws(Refusal) -> JSONValue {
        let form = try form(request)
        let amount = try form["amountSat"].map { text throws(Refusal) in try integer("amountSat", text) }
        if let text = form["description"], text.utf16.count > 128 {
            throw Refusal(status: 400, text: "Request parameter description is too long (max 128 characters)")
        }
        let hash = try form["descriptionHash"].map { text throws(Refusal) in try bytes32("descriptionHash", text) }
        guard (form["description"] == nil) != (hash == nil) else {
            throw Refusal(status: 400, text: "Must provide either a description or descriptionHash")
        }
        let expiry = try form["expirySeconds"].map { text throws(Refusal) in try integer("expirySeconds", text) }
        let (now, isPlainText, chain) = state.withLock { ($0.now, $0.isPlainText, $0.chain) }
        let invoice: FakeInvoice
        do {
            invoice = try FakeInvoice(
                Millisatoshi(satoshi: amount ?? 0),
                hash.map { isPlainText ? .text(Hexadecimal.encode($0)) : .hash($0) }
                    ?? .text(form["description"] ?? ""),
                expiry: expiry ?? 604_800, at: UnixTime(now / 1000), on: chain == "mainnet" ? .bitcoin : .regtest,
                by: key)
        } catch {
            throw Refusal(status: 500, text: "")
        }
        state.withLock { state in
            state.payments.append(
                Payment(
                    preimage: invoice.preimage, createdAt: state.now, invoice: invoice, externalID: form["externalId"]))
        }
        return [
            "amountSat": .unsigned(amount ?? 0), "paymentHash": .string(invoice.paymentHash.hexadecimal),
            "serialized": .string(invoice.text),
        ]
    }

    /// `Api.kt`, `payments/incoming/{paymentHash}`: what is not found is 404.
    private func lookUp(_ digits: String) throws(Refusal) -> JSONValue {
        let hash = try bytes32("paymentHash", digits)
        let (payments, now) = state.withLock { ($0.payments, $0.now) }
        guard let payment = payments.first(where: { $0.preimage.paymentHash.bytes == hash && !$0.isOnChain }) else {
            throw Refusal(status: 404, text: "Not found")
        }
        return payment.json(at: now)
    }

    /// `Api.kt`, `payments/incoming`; `PaymentsIncoming.sq`, `listSuccessful`: newest first, both ends included, 20 unless said
    /// otherwise. On-chain payments count for the limit and the offset, and are left out of what has been cut.
    private func list(_ request: LoopbackRequest) throws(Refusal) -> JSONValue {
        let (payments, now, ignoresEnd) = state.withLock { ($0.payments, $0.now, $0.ignoresEnd) }
        let from = try integer("from", request.query("from") ?? "0")
        let to = try integer("to", request.query("to") ?? String(now))
        let limit = try integer("limit", request.query("limit") ?? "20")
        let offset = try integer("offset", request.query("offset") ?? "0")
        let received = payments.filter { payment in
            payment.completedAt.map { from <= $0 && ($0 <= to || ignoresEnd) } ?? false
        }
        let sorted = received.sorted { ($0.completedAt ?? 0) > ($1.completedAt ?? 0) }
        let page = sorted.dropFirst(Int(clamping: offset)).prefix(Int(clamping: limit))
        return .array(page.filter { !$0.isOnChain }.map { $0.json(at: now) })
    }

    /// A form, and nothing else (Ktor, `receiveParameters`).
    private func form(_ request: LoopbackRequest) throws(Refusal) -> [String: String] {
        guard request.header("content-type")?.hasPrefix("application/x-www-form-urlencoded") == true else {
            throw Refusal(status: 415, text: "")
        }
        var form: [String: String] = [:]
        for item in String(decoding: request.body, as: UTF8.self).split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = parts.map { try? PercentEncoding.decode($0, plusIsSpace: true) }
            guard decoded.count == 2, let name = decoded[0], let value = decoded[1] else {
                throw Refusal(status: 400, text: "")
            }
            form[name] = form[name] ?? value
        }
        return form
    }

    private func integer(_ name: String, _ text: String) throws(Refusal) -> UInt64 {
        guard let number = UInt64(text), Int64(text) != nil else { throw .malformed(name, "integer") }
        return number
    }

    private func bytes32(_ name: String, _ text: String) throws(Refusal) -> [UInt8] {
        guard let bytes = try? Hexadecimal.decode(text), bytes.count == 32 else { throw .malformed(name, "hex32") }
        return bytes
    }
}

extension FakePhoenixd.Payment {
    /// `json/JsonSerializers.kt`, `IncomingPayment`: the preimage whatever the state, null members left out.
    func json(at now: UInt64) -> JSONValue {
        var object: JSONObject = [
            "type": "incoming_payment", "subType": "lightning",
            "paymentHash": .string(preimage.paymentHash.hexadecimal), "preimage": .string(preimage.hexadecimal),
        ]
        object["externalId"] = externalID.map(JSONValue.string)
        if case .text(let text)? = invoice?.description { object["description"] = .string(text) }
        object["invoice"] = (invoice?.text).map(JSONValue.string)
        object["isPaid"] = .bool(completedAt != nil)
        let expiresAt = invoice.map { createdAt + $0.expiry * 1000 }
        object["isExpired"] = .bool(expiresAt.map { now > $0 } ?? false)
        object["requestedSat"] = (invoice?.amount.msat).map { .unsigned($0 / 1000) }
        if isUnidentified { object["paymentHash"] = "" }
        object["receivedSat"] = isOdd ? .string("\(received)x") : .unsigned(received)
        object["fees"] = .unsigned(fees)
        object["payerNote"] = payerNote.map(JSONValue.string)
        object["expiresAt"] = expiresAt.map(JSONValue.unsigned)
        object["completedAt"] = completedAt.map(JSONValue.unsigned)
        object["createdAt"] = .unsigned(createdAt)
        return .object(object)
    }
}
