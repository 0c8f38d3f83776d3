import Doctor
import LNURL
import LightningCoding
import OutboundHTTP

struct Check: Equatable {
    /// The stable, short name of the check.
    let name: String
    let verdict: Verdict
    /// The finding, for people.
    let detail: String

    static func passed(_ name: String, _ detail: String) -> Check {
        Check(name: name, verdict: .passed, detail: detail)
    }

    static func warning(_ name: String, _ detail: String) -> Check {
        Check(name: name, verdict: .warning, detail: detail)
    }

    static func failed(_ name: String, _ detail: String) -> Check {
        Check(name: name, verdict: .failed, detail: detail)
    }

    var json: JSONValue {
        ["name": .string(name), "verdict": .string(verdict.rawValue), "detail": .string(detail)]
    }
}

extension Check {
    init(_ finding: Finding) {
        self.init(name: finding.check.name, verdict: finding.verdict, detail: finding.text)
    }
}

extension [Check] {
    var json: JSONValue { .array(map(\.json)) }

    var haveFailed: Bool { contains { $0.verdict == .failed } }
}

extension Evidence {
    init(of target: LNURLTarget, network: Network? = nil) throws(ToolFault) {
        guard let service = ExaminedService(target) else { throw .notAskable }
        self.init(service, network: network, now: .now())
    }

    /// Adds an exchange, whatever method it took.
    mutating func record(_ probe: Probe, at url: HTTPURL, _ response: HTTPResponse) {
        record(HTTPExchange(request: HTTPRequest(.get, url), outcome: .success(response)), of: probe)
    }

    func checks(of probe: Probe) -> [Check] {
        findings(on: probe).map { Check($0) }
    }
}
