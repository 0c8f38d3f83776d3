import Bolt11
import LNURL
import LightningCoding
import LightningCrypto
import OutboundHTTP

/// Which requests an examination sends. Each is made of the answers to those before. No I/O.
struct ProbePlan: Sendable {
    let service: ExaminedService
    /// The probes to send, with those that they are made of, in the order of sending.
    let probes: [Probe]
    let seed: ProbeSeed

    /// Plans what some checks read.
    ///
    /// - Parameter isDeep: whether invoices are requested at the limits.
    init(_ service: ExaminedService, for checks: [ServiceCheck], isDeep: Bool, seed: ProbeSeed) {
        self.service = service
        self.seed = seed
        var probes = Set(checks.flatMap(\.probes))
        if !isDeep { probes.subtract([.amountMinimum, .amountMaximum]) }
        if service.resolver == nil { probes.remove(.dnsName) }
        probes.formUnion(probes.flatMap(\.sources))
        self.probes = Probe.allCases.filter(probes.contains)
    }

    /// The request of a probe. Throws why it is left out.
    func request(for probe: Probe, after evidence: Evidence) throws(Skipped) -> HTTPRequest {
        switch probe {
        case .infoPreflight: return preflight(service.url)
        case .infoOtherHost: return try otherHostRequest()
        case .dnsName: return try dnsRequest()
        case .invoicePreflight: return preflight(try order(for: probe, after: evidence).callback)
        case .invoicePost: return try post(order(for: probe, after: evidence))
        default:
            switch probe.step {
            case .invoice:
                let order = try order(for: probe, after: evidence)
                return get(order.callback.appendingQuery(try query(of: probe, order, evidence)))
            case .verify: return get(try verifyURL(of: probe, after: evidence))
            case .info, .preflight, .refusal: return get(try infoURL(of: probe))
            }
        }
    }

    private func infoURL(of probe: Probe) throws(Skipped) -> HTTPURL {
        switch probe {
        case .infoUnknownParameter: return service.url.appendingQuery([("nonce", seed.unknownName)])
        case .infoUpperCase: return try nameURL(service.requiredAddress().localPart.text.uppercased())
        case .infoTag: return try nameURL(service.requiredAddress().name + "+doctor")
        case .infoPercentEncoded:
            let text = try service.requiredAddress().localPart.text
            return try nameURL("%" + Hexadecimal.encode(text.utf8.prefix(1)) + text.dropFirst())
        case .unknownName:
            _ = try service.requiredAddress()
            return try nameURL(seed.unknownName)
        case .nostrName:
            return try service.url(path: "/.well-known/nostr.json", query: "name=\(service.requiredAddress().name)")
        default: return service.url
        }
    }

    private func nameURL(_ segment: String) throws(Skipped) -> HTTPURL {
        try service.url(path: "/.well-known/lnurlp/" + segment)
    }

    /// What is asked about the invoice: its URL, or one that differs in one thing.
    private func verifyURL(of probe: Probe, after evidence: Evidence) throws(Skipped) -> HTTPURL {
        let url = try evidence.verifyURL()
        guard evidence.mayAsk(url) else { throw Skipped("the URL may not be asked") }
        guard probe != .verify, probe != .verifyAgain else { return url }
        guard let hash = try? evidence.invoice(.invoice).paymentHash.hexadecimal, url.text.contains(hash) else {
            throw Skipped("the URL does not show the payment hash")
        }
        var text = url.text
        switch probe {
        case .verifyUpperCase: text.replace(hash, with: hash.uppercased())
        case .verifyUnknown: text.replace(hash, with: seed.unknownHash)
        case .verifyMalformed: text.replace(hash, with: hash.dropLast())
        default:
            guard let name = service.address?.name, url.path.contains("/\(name)/") else {
                throw Skipped("the URL does not show the name")
            }
            text.replace("/\(name)/", with: "/\(seed.unknownName)/")
        }
        return try rethrowing(HTTPURL(text), as: Skipped("the URL cannot be made"))
    }

    private func otherHostRequest() throws(Skipped) -> HTTPRequest {
        guard service.standIn == nil, let other = try? HTTPURL("https://other.example") else {
            throw Skipped("another server is asked in its place")
        }
        return HTTPRequest(.get, service.url, headers: Self.headers, namedFor: other)
    }

    private func dnsRequest() throws(Skipped) -> HTTPRequest {
        let name = try service.requiredAddress().name
        guard let resolver = service.resolver else { throw Skipped("no --resolver was given") }
        guard let question = DNSQuestion(paymentName: name, domain: service.url.host) else {
            throw Skipped("the name does not fit into the DNS")
        }
        let url = resolver.appendingQuery([("dns", Base64URL.encode(question.bytes))])
        let accept = try? HTTPField("Accept", "application/dns-message")
        return HTTPRequest(.get, url, headers: [accept].compactMap(\.self))
    }

    private func get(_ url: HTTPURL) -> HTTPRequest { service.request(.get, url, headers: Self.headers) }

    private func post(_ order: InvoiceOrder) throws(Skipped) -> HTTPRequest {
        var body: JSONObject = ["amount": .unsigned(order.amount)]
        for item in try order.payer.items(of: .invoicePost) { body.append(item.name, .string(item.value)) }
        return service.request(
            .post, order.callback, headers: Self.headers + [.jsonContent],
            body: JSONValue.object(body).serializedBytes())
    }

    /// The request that a browser sends before another (Fetch Standard, "CORS-preflight fetch").
    private func preflight(_ url: HTTPURL) -> HTTPRequest {
        let fields = [Self.field("Access-Control-Request-Method", "GET")]
        return service.request(.options, url, headers: Self.headers + fields.compactMap(\.self))
    }

    /// What a web wallet sends: servers may answer for others only when there is an origin.
    static let headers = [HTTPField.acceptJSON] + [field("Origin", "https://wallet.example")].compactMap(\.self)

    private static func field(_ name: String, _ value: String) -> HTTPField? { try? HTTPField(name, value) }
}

// MARK: - The callback

extension ProbePlan {
    private func order(for probe: Probe, after evidence: Evidence) throws(Skipped) -> InvoiceOrder {
        let answer = probe == .invoiceAgain ? evidence.infoAgain : evidence.info
        let order = try InvoiceOrder(evidence, answer: answer, key: seed.key)
        let few: Set<Probe> = [.invoice, .invoiceAgain, .payerDataMissing, .payerDataForged]
        guard !order.payer.needsChallenge || few.contains(probe) else {
            throw Skipped("each invoice needs a fresh challenge (LUD-18)")
        }
        return order
    }

    private func query(
        of probe: Probe, _ order: InvoiceOrder, _ evidence: Evidence
    ) throws(Skipped) -> [(name: String, value: String)] {
        let payer = try order.payer.items(of: probe)
        let amount = try order.amounts(of: probe).map { (name: "amount", value: $0) }
        let usual = amount + payer
        switch probe {
        case .unknownParameter: return usual + [("nonce", seed.unknownName), ("__n", "1"), ("lnurl", "x")]
        case .parameterOrder: return payer + [("nonce", "1")] + amount
        case .commentEmpty: return usual + [("comment", "")]
        case .commentLongest: return usual + [("comment", try order.comment(of: "c"))]
        case .commentTooLong: return usual + [("comment", try order.comment(of: "c", beyond: 1))]
        // The emoji is one character of two UTF-16 units and four bytes.
        case .commentLongestEmoji: return usual + [("comment", try order.comment(of: "\u{1F600}"))]
        case .commentTooLongEmoji: return usual + [("comment", try order.comment(of: "\u{1F600}", beyond: 1))]
        case .zap, .zapForged, .zapOtherAmount:
            // With a comment, which the hash does not cover.
            let comment = order.commentAllowed > 0 ? [(name: "comment", value: "x")] : []
            return usual + [("nostr", try zapRequest(probe, order, evidence))] + comment
        default: return usual
        }
    }

    private func zapRequest(
        _ probe: Probe, _ order: InvoiceOrder, _ evidence: Evidence
    ) throws(Skipped) -> String {
        guard evidence.info.member("allowsNostr")?.bool == true, evidence.info.nostrPubkey != nil,
            let text = seed.zapRequest(amount: probe == .zapOtherAmount ? order.amount &+ 1000 : order.amount)
        else { throw Skipped("zaps are not accepted") }
        guard probe == .zapForged else { return text }
        // The signature is at the end; its last digit is changed.
        let digit = text.dropLast(2).last ?? "0"
        return text.dropLast(3) + (digit == "0" ? "1" : "0") + "\"}"
    }
}
