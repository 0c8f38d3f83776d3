import LNURL
package import LightningCoding
package import LightningCrypto
package import OutboundHTTP

/// Which requests an examination sends, in stages: a stage is made of the answers to those before. No I/O.
package struct ProbePlan: Sendable {
    package let service: ExaminedService
    /// The probes to send, with those that they are made of.
    package let probes: Set<Probe>
    let seed: ProbeSeed

    /// Plans what some checks read.
    ///
    /// - Parameter isDeep: whether invoices are requested at the limits.
    package init(_ service: ExaminedService, for checks: [ServiceCheck], isDeep: Bool, seed: ProbeSeed) {
        self.service = service
        self.seed = seed
        var probes = Set(checks.flatMap(\.probes))
        if !isDeep { probes.subtract([.amountMinimum, .amountMaximum]) }
        if service.resolver == nil { probes.remove(.dnsName) }
        self.probes = probes.union(probes.flatMap(\.sources))
    }

    /// The steps of a stage, in the order of sending.
    package func steps(of stage: Probe.Stage, after evidence: Evidence) -> [PlannedStep] {
        let steps =
            switch stage {
            case .address: addressSteps
            case .callback: CallbackPlan(self, evidence).steps
            case .settlement: SettlementPlan(self, evidence).steps
            case .addressAgain: [get(.infoAgain, service.url)]
            case .callbackAgain:
                CallbackPlan(self, evidence).repeatedSteps + SettlementPlan(self, evidence).repeatedSteps
            }
        return steps.filter { probes.contains($0.probe) }
    }

    private var addressSteps: [PlannedStep] {
        [
            get(.info, service.url), preflight(.infoPreflight, service.url),
            get(.infoUnknownParameter, service.url.appendingQuery([("nonce", seed.unknownName)])), otherHost,
        ] + nameSteps
    }

    private var nameSteps: [PlannedStep] {
        let named: [Probe] = [
            .infoUpperCase, .infoTag, .infoPercentEncoded, .unknownName, .nostrName, .dnsName,
        ]
        guard let address = service.address else {
            return named.map { .omit($0, "only a URL is known, not an address") }
        }
        let first = address.name.utf8.first.map { "%" + Hexadecimal.encode([$0]) } ?? ""
        return [
            wellKnown(.infoUpperCase, address.localPart.text.uppercased()),
            wellKnown(.infoTag, address.name + "+doctor"),
            wellKnown(.infoPercentEncoded, first + address.localPart.text.dropFirst()),
            wellKnown(.unknownName, seed.unknownName),
            get(.nostrName, service.url(path: "/.well-known/nostr.json", query: "name=\(address.name)")),
            dnsStep(address.name),
        ]
    }

    private var otherHost: PlannedStep {
        guard service.standIn == nil, let other = try? HTTPURL("https://other.example") else {
            return .omit(.infoOtherHost, "another server is asked in its place")
        }
        var request = HTTPRequest(.get, service.url, headers: Self.headers)
        request.namedFor = other
        return .send(.infoOtherHost, request)
    }

    private func dnsStep(_ name: String) -> PlannedStep {
        guard let resolver = service.resolver else { return .omit(.dnsName, "no --resolver was given") }
        guard let question = DNSQuestion(paymentName: name, domain: service.url.host) else {
            return .omit(.dnsName, "the name does not fit into the DNS")
        }
        let url = resolver.appendingQuery([("dns", question.base64URL)])
        let accept = try? HTTPField("Accept", "application/dns-message")
        return .send(.dnsName, HTTPRequest(.get, url, headers: [accept].compactMap(\.self)))
    }

    private func wellKnown(_ probe: Probe, _ segment: String) -> PlannedStep {
        get(probe, service.url(path: "/.well-known/lnurlp/" + segment))
    }

    func get(_ probe: Probe, _ url: HTTPURL?) -> PlannedStep {
        guard let url else { return .omit(probe, "the URL cannot be made") }
        return .send(probe, service.request(.get, url, headers: Self.headers))
    }

    /// The request that a browser sends before another (Fetch Standard, "CORS-preflight fetch").
    func preflight(_ probe: Probe, _ url: HTTPURL) -> PlannedStep {
        let fields = [Self.field("Access-Control-Request-Method", "GET")]
        return .send(probe, service.request(.options, url, headers: Self.headers + fields.compactMap(\.self)))
    }

    /// What a web wallet sends: servers may answer for others only when there is an origin.
    static let headers = [HTTPField.acceptJSON] + [field("Origin", "https://wallet.example")].compactMap(\.self)

    private static func field(_ name: String, _ value: String) -> HTTPField? { try? HTTPField(name, value) }
}

package enum PlannedStep: Sendable {
    case send(Probe, HTTPRequest)
    /// It is left out, for this reason.
    case omit(Probe, String)

    package var probe: Probe {
        switch self {
        case .send(let probe, _), .omit(let probe, _): probe
        }
    }
}

/// What the requests of one examination contain by chance, and when it began.
package struct ProbeSeed: Sendable {
    /// A name that no service knows.
    package let unknownName: String
    /// A payment hash that no service knows, in hexadecimal.
    package let unknownHash: String
    package let key: SecretKey
    package let now: UnixTime

    package init(now: UnixTime, random: RandomSource = SystemRandom.bytes) throws(CryptoFault) {
        unknownName = "doctor-" + Hexadecimal.encode(try random(8))
        unknownHash = Hexadecimal.encode(try random(32))
        key = try SecretKey(random: random)
        self.now = now
    }
}
