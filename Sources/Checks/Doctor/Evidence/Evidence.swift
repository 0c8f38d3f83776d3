package import OutboundHTTP
import Bolt11
package import LightningCoding
import LNURL

/// What an examination has recorded so far, and how the checks read it.
package struct Evidence: Sendable {
    package let service: ExaminedService
    /// The network that invoices must be on; nil for bitcoin, or any on this machine.
    package let network: Network?
    package let now: UnixTime
    package private(set) var exchanges: [Probe: HTTPExchange] = [:]
    /// What each body holds; every check reads it.
    private var bodies: [Probe: JSONValue] = [:]
    package internal(set) var omissions: [Probe: String] = [:]
    /// Why the service was not asked on, and the last request that was not answered.
    package internal(set) var outage: (reason: String, probe: Probe)?

    package init(_ service: ExaminedService, network: Network? = nil, now: UnixTime) {
        self.service = service
        self.network = network
        self.now = now
    }

    package mutating func record(_ exchange: HTTPExchange, of probe: Probe) {
        exchanges[probe] = exchange
        bodies[probe] = try? exchange.outcome.get().json
    }

    /// Whether a URL from an answer may be asked: as wallets do it (LUD-01), and on this machine only for a service on
    /// this machine.
    func mayAsk(_ url: HTTPURL) -> Bool {
        guard url.isLoopback else { return url.scheme == .https || url.isOnion }
        return service.isLocal
    }

    /// What the checks find in the answer to a probe, as far as they can be made with what is recorded.
    package func findings(on probe: Probe) -> [Finding] {
        ServiceCheck.all.filter { $0.probes.contains(probe) }.map { $0.finding(in: self) }
            .filter { $0.verdict != .skipped }
    }
}

// MARK: - Answers

extension Evidence {
    /// An answer that is not a redirect.
    func answer(_ probe: Probe) throws(Skipped) -> HTTPResponse {
        guard let exchange = exchanges[probe] else { throw Skipped(omissions[probe] ?? "not asked") }
        guard exchange.silence == nil, case .success(let answer) = exchange.outcome else {
            throw Skipped("there was no answer")
        }
        guard !answer.isUnreadable else { throw Skipped("the answer is encoded") }
        guard !answer.isRedirect else { throw Skipped("the answer is a redirect") }
        guard !isLimited(probe, answer) else {
            throw Skipped("it cannot be told: the service limits how often it is asked")
        }
        return answer
    }

    /// Whether an answer says nothing but that the service was asked too often: by its status, by a field, or by the
    /// ERROR that a request gets when it is sent again. The first requests must be answered.
    func isLimited(_ probe: Probe, _ answer: HTTPResponse) -> Bool {
        guard probe != .info, probe != .invoice else { return false }
        if answer.status == 429 || answer.headers.first(named: "Retry-After") != nil { return true }
        guard let reason = errorReason(probe) else { return false }
        return [(Probe.info, Probe.infoAgain), (.invoice, .invoiceAgain), (.verify, .verifyAgain)].contains {
            guard case .success? = exchanges[$0]?.outcome, errorReason($0) == nil else { return false }
            return errorReason($1)?.isExactly(reason) == true
        }
    }

    private func errorReason(_ probe: Probe) -> String? {
        bodies[probe].flatMap { ErrorResponse(json: $0) }?.reason
    }

    /// What the body of an answer holds; nil when it is not JSON.
    func json(_ probe: Probe) throws(Skipped) -> JSONValue? {
        _ = try answer(probe)
        return bodies[probe]
    }

    func object(_ probe: Probe) throws(Skipped) -> JSONObject {
        guard let object = try json(probe)?.object else { throw Skipped("the answer is not a JSON object") }
        return object
    }

    /// The reason of an ERROR; nil when it is none.
    func refusal(_ probe: Probe) throws(Skipped) -> String? {
        _ = try answer(probe)
        return errorReason(probe)
    }

    /// Whether an answer is one of the first step, complete or not.
    func isInfo(_ probe: Probe) throws(Skipped) -> Bool {
        let json = try json(probe)
        return ["callback", "metadata", "tag"].contains { json?[$0] != nil }
    }

    var info: EvidenceSource { EvidenceSource(evidence: self, probe: .info) }

    var infoAgain: EvidenceSource { EvidenceSource(evidence: self, probe: .infoAgain) }
}

// MARK: - Second answers

extension Evidence {
    /// The text under `pr`; nil when the answer has none.
    func issued(_ probe: Probe) throws(Skipped) -> String? {
        guard let text = try json(probe)?["pr"]?.string, !text.isEmpty else { return nil }
        return text
    }

    func invoice(_ probe: Probe) throws(Skipped) -> Bolt11Invoice {
        guard let text = try issued(probe) else { throw Skipped("there is no invoice") }
        guard let invoice = try? Bolt11Invoice(text) else { throw Skipped("the invoice cannot be read") }
        return invoice
    }

    /// The second answer, when it is not an ERROR.
    func payAnswer() throws(Skipped) -> JSONObject {
        let object = try object(.invoice)
        guard try refusal(.invoice) == nil else { throw Skipped("the callback refuses") }
        return object
    }

    func verifyURL() throws(Skipped) -> HTTPURL {
        guard let value = try payAnswer()["verify"], !value.isNull else { throw Skipped("there is no verify URL") }
        guard let text = value.string, let url = try? HTTPURL(text) else {
            throw Skipped("the verify URL cannot be read")
        }
        return url
    }

    /// The answer about a payment, when it is not an ERROR.
    func settlement(_ probe: Probe) throws(Skipped) -> JSONObject {
        let object = try object(probe)
        guard try refusal(probe) == nil else { throw Skipped("the service does not know its invoice") }
        return object
    }

    func amount(askedBy probe: Probe) -> UInt64? {
        exchanges[probe]?.request.url.queryItems.first { $0.name.isExactly("amount") }.flatMap {
            UInt64(digits: $0.value)
        }
    }

    /// A parameter of a request, decoded.
    func parameter(_ name: String, of probe: Probe) -> String? {
        exchanges[probe]?.request.url.queryItems.first { $0.name.isExactly(name) }?.value
    }
}
