import LNURL
import LightningCoding
import OutboundHTTP

extension CheckGroup {
    static let connection = CheckGroup(
        "Connection",
        [
            ServiceCheck(
                "reachable", "the service answers", .must,
                Rule("LUD-16", "A wallet makes a GET request to https://domain/.well-known/lnurlp/username."),
                reads: [.info]
            ) { evidence throws(Skipped) in
                guard let exchange = evidence.exchanges[.info] else { throw Skipped("not asked") }
                if case .failure(let fault) = exchange.outcome, fault.isOfTLS { throw Skipped("TLS failed") }
                return exchange.silence.map { .breaks($0) } ?? .follows()
            },
            ServiceCheck(
                "answered", "no request loses its connection or gets status 502, 503 or 504", .must,
                Rule("LUD-01", "In case of an error a service returns an ERROR, which a payer can read."),
                reads: Probe.answered
            ) { evidence throws(Skipped) in
                guard let first = evidence.exchanges[.info], first.silence == nil else {
                    throw Skipped("the service does not answer")
                }
                if let outage = evidence.outage { return .breaks(outage.reason, at: [outage.probe]) }
                let silent = Probe.answered.compactMap { probe in
                    evidence.exchanges[probe]?.silence.map { (probe, $0) }
                }
                return silent.isEmpty ? .follows() : .breaking(silent)
            },
            ServiceCheck(
                "certificate", "the connection is encrypted, with a trusted certificate for the name", .must,
                Rule("LUD-01", "A URL must be https with a certificate that is not self-signed, or http to an onion."),
                breaks: [BrokenClient("BlueWallet", "bumi/lnme#29")], reads: [.info]
            ) { evidence throws(Skipped) in
                guard let exchange = evidence.exchanges[.info] else { throw Skipped("not asked") }
                switch exchange.outcome {
                case .failure(let fault):
                    guard fault.isOfTLS else { throw Skipped("there was no answer") }
                    return .breaks(fault.reason)
                case .success where exchange.request.url.scheme == .http && !exchange.request.url.isOnion:
                    throw Skipped("the service is on this machine, without https")
                case .success: return .follows()
                }
            },
            ServiceCheck(
                "latency", "nine of ten answers take at most 5 seconds", .should,
                Rule("practice", "Wallets give up after some 10 to 30 seconds, and a payment needs two answers."),
                reads: [.info, .invoice]
            ) { evidence throws(Skipped) in
                let times = evidence.durations
                guard !times.isEmpty else { throw Skipped("there was no answer") }
                let slow = times.percentile(90)
                let detail =
                    "\(times.count) answers: half within \(times.percentile(50).milliseconds) ms, "
                    + "nine of ten within \(slow.milliseconds) ms, the slowest \(times.percentile(100).milliseconds) ms"
                return slow > .seconds(5) ? .breaks(detail) : .follows(detail)
            },
            ServiceCheck(
                "domain-without-lnurl", "the domain does not contain \"lnurl\"", .should,
                Rule("practice", "Wallets look for LNURLs by their prefix before they look for addresses."),
                breaks: [BrokenClient("Alby", "getAlby/lightning-browser-extension#3227")], reads: [.info]
            ) { evidence throws(Skipped) in
                let address = try evidence.service.requiredAddress()
                return address.domain.contains("lnurl")
                    ? .breaks("\(address.domain) contains \"lnurl\"") : .follows(address.domain)
            },
            ServiceCheck(
                "host-trusted", "the answer does not follow a false Host field", .must,
                Rule("practice", "URLs and identifiers made of an unchecked Host field can be poisoned by a cache."),
                reads: [.infoOtherHost]
            ) { evidence throws(Skipped) in
                guard try evidence.isInfo(.infoOtherHost) else { return .follows("other.example is refused") }
                let answer = EvidenceSource(evidence: evidence, probe: .infoOtherHost)
                let name = ["callback", "metadata"].first {
                    answer.member($0)?.string?.lowercased().contains("other.example") == true
                }
                return name.map { .breaks("\($0) has the name of Host: other.example") }
                    ?? .follows("other.example is not repeated")
            },
        ])
}

extension Probe {
    /// Those that a service answers, rightly or wrongly: it need not know another host, POST, or Nostr.
    fileprivate static let answered = allCases.filter {
        ![.dnsName, .nostrName, .infoOtherHost, .invoicePost].contains($0)
    }
}

extension Judgment {
    /// The same rule is broken by several answers: the first fault, and how many more there are.
    static func breaking(_ faults: [(probe: Probe, text: String)]) -> Self {
        let first = faults.first.map { $0.probe.rawValue + ": " + $0.text } ?? ""
        return .breaks(faults.count > 1 ? "\(first), and \(faults.count - 1) more" : first, at: faults.map(\.probe))
    }
}

extension Evidence {
    fileprivate var durations: [Duration] {
        exchanges.filter { $0.key != .dnsName }.compactMap { try? $0.value.outcome.get().timing.total }.sorted()
    }
}

extension [Duration] {
    /// The value below which so many percent of the sorted values lie.
    fileprivate func percentile(_ percent: Int) -> Duration {
        self[Swift.max(0, (count * percent + 99) / 100 - 1)]
    }
}

extension Duration {
    /// In whole milliseconds, for people.
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}

extension OutboundFault {
    fileprivate var isOfTLS: Bool {
        switch self {
        case .tls, .handshake: true
        default: false
        }
    }
}
