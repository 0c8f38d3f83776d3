import Bolt11
import LNURL
import LightningCoding
import LightningCrypto
import LoopbackServer
import Platform

/// A Lightning-address service on loopback that follows every rule, except for one fault.
final class ExaminedServer: Sendable {
    static let now = UnixTime(1_800_000_000)

    private struct State {
        var authority = ""
        var issued: [String: String] = [:]
        var isLater = false
        var requests = 0
    }

    let port: UInt16
    private let server: LoopbackServer
    private let state: Guarded<State>

    init(_ fault: ServedFault = ServedFault()) throws {
        let state = Guarded(State())
        self.state = state
        server = try LoopbackServer(raw: { connection in
            while let request = connection.readRequest() {
                let answer = Self.answer(request, fault, state)
                guard answer.isSent, connection.write(answer.loopback.bytes) else { return }
            }
        })
        port = server.port
        state.withLock { $0.authority = fault.domain ?? "127.0.0.1:\(server.port)" }
    }

    private static func answer(
        _ request: LoopbackRequest, _ fault: ServedFault, _ state: Guarded<State>
    ) -> ServedAnswer {
        var served = ServedRequest(request)
        let isLater = state.withLock { state in
            served.number = state.requests
            state.requests += 1
            return state.isLater
        }
        fault.before(&served)
        var answer = Self.answer(served, fault, state)
        fault.after(served, &answer)
        if isLater { fault.later(served, &answer) }
        return answer
    }

    private static func answer(
        _ request: ServedRequest, _ fault: ServedFault, _ state: Guarded<State>
    ) -> ServedAnswer {
        if request.method == "OPTIONS" {
            var answer = ServedAnswer(status: 204, body: [:], raw: [])
            answer.replace("Access-Control-Allow-Methods", "GET, POST")
            return answer
        }
        if request.path == "/dns-query" {
            var answer = ServedAnswer(body: [:], raw: fault.dns.message)
            answer.replace("Content-Type", "application/dns-message")
            return answer
        }
        if fault.refuses(request) { return .error("no") }
        if request.path == "/.well-known/nostr.json" {
            let key = String(repeating: "ab", count: 32)
            guard request["name"] == "alice" else { return ServedAnswer(body: ["names": [:]]) }
            return ServedAnswer(body: [
                "names": ["alice": .string(key)], "relays": .object([key: ["wss://relay.example"]]),
            ])
        }
        if request.isInfo { return info(request, fault, state) }
        if request.isCallback { return invoice(request, fault, state) }
        return request.isVerify ? verify(request, fault, state) : .error("nothing here")
    }

    private static func info(
        _ request: ServedRequest, _ fault: ServedFault, _ state: Guarded<State>
    ) -> ServedAnswer {
        let name = (try? LocalPart(pathSegment: request.name))
        guard name?.name.text == "alice" || fault.skips.contains(.name) else { return .error("no such name") }
        let (authority, isLater) = state.withLock { ($0.authority, $0.isLater) }
        let scheme = fault.domain == nil ? "http" : "https"
        return ServedAnswer(body: [
            "tag": "payRequest",
            "callback": .string("\(scheme)://\(authority)/callback/alice\(name?.tag.map { "+" + $0 } ?? "")"),
            "minSendable": .unsigned(fault.limits.lowerBound), "maxSendable": .unsigned(fault.limits.upperBound),
            "metadata": .string(metadata(name?.tag, fault, authority, isLater)), "commentAllowed": 100,
            "payerData": payerData.json, "allowsNostr": true,
            "nostrPubkey": .string(String(repeating: "ab", count: 32)),
        ])
    }

    /// A name is mandatory, a signature welcome.
    private static let payerData = PayerDataSpec(
        [.name: .mandatory, .auth: .optional], k1: try? Challenge(hexadecimal: String(repeating: "11", count: 32)))

    private static func metadata(_ tag: String?, _ fault: ServedFault, _ authority: String, _ isLater: Bool) -> String {
        var text = #"[["text/plain","Pay Alice"],["text/identifier","alice@\#(authority)"]]"#
        fault.metadataChange(&text)
        if isLater { fault.laterMetadata(&text) }
        return tag.map { PayMetadata.adding(tag: $0, to: text) } ?? text
    }

    private static func invoice(
        _ request: ServedRequest, _ fault: ServedFault, _ state: Guarded<State>
    ) -> ServedAnswer {
        if let reason = ServedRules(fault).refusal(of: request, payerData) { return .error(reason) }
        let (authority, isLater) = state.withLock { ($0.authority, $0.isLater) }
        let amount = request["amount"].flatMap { UInt64(digits: $0) }
        let tag = request.name.split(separator: "+").dropFirst().first.map(String.init)
        let hashed = request["nostr"] ?? metadata(tag, fault, authority, isLater)
        var draft = DraftInvoice(
            amount: amount, description: .hash(SHA256.hash(hashed.utf8)), timestamp: now.seconds,
            paymentHash: (try? SystemRandom.bytes(32)) ?? [])
        fault.draft(request, &draft)
        if isLater { fault.laterDraft(&draft) }
        guard let text = try? draft.signed() else { return .error("no invoice") }
        let hash = Hexadecimal.encode(draft.paymentHash)
        state.withLock { $0.issued[hash] = text }
        let scheme = fault.domain == nil ? "http" : "https"
        return ServedAnswer(body: [
            "pr": .string(text), "routes": [], "disposable": false,
            "verify": .string("\(scheme)://\(authority)/verify/alice/\(hash)"),
        ])
    }

    private static func verify(
        _ request: ServedRequest, _ fault: ServedFault, _ state: Guarded<State>
    ) -> ServedAnswer {
        let hash = request.name.lowercased()
        let issued = state.withLock { state in
            state.isLater = true
            return state.issued.first { $0.key == hash || fault.skips.contains(.hashLength) && $0.key.hasPrefix(hash) }?
                .value
        }
        let isNamed = request.path.hasPrefix("/verify/alice/") || fault.skips.contains(.verifyName)
        let isAny = hash.utf8.count == 64 && fault.skips.contains(.hash) && request.path.hasPrefix("/verify/alice/")
        guard let text = issued.flatMap({ isNamed ? $0 : nil }) ?? (isAny ? "" : nil) else {
            return .error("Not found")
        }
        return ServedAnswer(body: ["status": "OK", "settled": false, "preimage": .null, "pr": .string(text)])
    }
}

extension DraftInvoice {
    fileprivate func signed() throws -> String {
        try Bolt11Draft(
            network: .regtest, amount: amount.map { Millisatoshi($0) }, timestamp: UnixTime(timestamp),
            paymentHash: PaymentHash(paymentHash), paymentSecret: PaymentSecret([UInt8](repeating: 9, count: 32)),
            description: description, expiry: expiry
        ).signed(by: SecretKey([UInt8](repeating: 1, count: 32))).text
    }
}
