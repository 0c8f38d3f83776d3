import LNURL
import LightningCoding
import OutboundHTTP

extension CheckGroup {
    static let http = CheckGroup(
        "HTTP",
        [
            HTTPRule.redirect.check(
                "no answer is a redirect", .must,
                Rule("practice", "Many wallets follow no redirect, some lose the query on it."),
                breaks: [
                    BrokenClient("LNbits", "lnbits/lnbits#1638"), BrokenClient("LNbits", "lnbits/lnbits#976"),
                    BrokenClient("Alby Go", "getAlby/go#154"),
                ]),
            HTTPRule.preflight.check(
                "the OPTIONS request of a browser is answered, for all origins", .should,
                Rule("Fetch Standard", "A browser asks before it sends a POST of JSON (LUD-26), or fields of its own.")),
            HTTPRule.status.check(
                "every answer has status 200, also an ERROR", .should,
                Rule(
                    "LUD-01", "Status codes have no meaning; clients that think otherwise lose the reason of an ERROR."),
                breaks: [
                    BrokenClient("Amethyst", "vitorpamplona/amethyst LightningAddressResolver.kt"),
                    BrokenClient("Stacker News", "stackernews/stacker.news#735"),
                ]),
            HTTPRule.contentType.check(
                "every answer is of type application/json", .should,
                Rule("RFC 8259", "The media type for JSON text is application/json."),
                breaks: [BrokenClient("Stacker News", "stackernews/stacker.news#735")]),
            ServiceCheck(
                "content-encoding", "no answer is encoded: nobody asked for it", .must,
                Rule("RFC 9110", "Content-Encoding says how a body is encoded. Who asked for no encoding reads none."),
                reads: Probe.judgedAsHTTP
            ) { evidence throws(Skipped) in
                let answers = Probe.judgedAsHTTP.compactMap { probe in
                    (try? evidence.exchanges[probe]?.outcome.get()).map { (probe, $0) }
                }
                guard !answers.isEmpty else { throw Skipped("there was no answer") }
                let faults = answers.compactMap { probe, answer in
                    answer.encoding.map { encoding in
                        (probe, answer.isUnreadable ? encoding : "\(encoding), but the body is plain JSON")
                    }
                }
                return faults.isEmpty
                    ? .follows(answers.count == 1 ? "1 answer" : "\(answers.count) answers") : .breaking(faults)
            },
            HTTPRule.errorForm.check(
                "an ERROR has the form {\"status\":\"ERROR\",\"reason\":…}", .must,
                Rule(
                    "LUD-01",
                    "In case of an error a service returns {\"status\":\"ERROR\",\"reason\":\"error details...\"}."),
                breaks: [BrokenClient("Stacker News", "stackernews/stacker.news#735")]),
            ServiceCheck(
                "error-text", "the reason of an ERROR does not show the insides of the service", .should,
                Rule("practice", "A payer reads it; exceptions and stack traces help only attackers."),
                breaks: [
                    BrokenClient(
                        "payers of BTCPay Server read exceptions", "btcpayserver/btcpayserver UILNURLController.cs")
                ],
                reads: refusals
            ) { evidence throws(Skipped) in
                let reasons = refusals.compactMap { try? evidence.refusal($0) }
                guard !reasons.isEmpty else { throw Skipped("nothing was refused") }
                let marks = [
                    "exception", "traceback", "stack trace", "panic:", "rpc error", "sqlstate", ".go:", ".py\"",
                ]
                let found = reasons.first { reason in marks.contains { reason.lowercased().contains($0) } }
                return found.map { .breaks($0) } ?? .follows("\(reasons.count) reasons")
            },
            HTTPRule.crossOrigin.check(
                "every answer allows all origins", .must,
                Rule("LUD-01", "All endpoints must answer with Access-Control-Allow-Origin: *."),
                breaks: [
                    BrokenClient("snort", "btcpayserver/btcpayserver#4587"),
                    BrokenClient("Mutiny", "MutinyWallet/mutiny-web#594"),
                    BrokenClient("Blink", "GaloyMoney/galoy-pay#527"),
                ]),
            HTTPRule.crossOriginOnce.check(
                "the field that allows origins stands in an answer once", .must,
                Rule(
                    "Fetch Standard",
                    "Several values of Access-Control-Allow-Origin match no origin: proxies add a second one."),
                breaks: [BrokenClient("web wallets", "stackernews/stacker.news#979")]),
            HTTPRule.allowedMethods.check(
                "methods that are listed for other origins include GET", .must,
                Rule("LUD-01", "If Access-Control-Allow-Methods is sent, it must permit GET.")),
            HTTPRule.caching.check(
                "invoices, their state and refusals are not stored, and limits not for long", .should,
                Rule("RFC 9111", "Without no-store a shared cache may hand one payer's invoice to the next."),
                breaks: [BrokenClient("Damus keeps old callbacks", "damus-io/damus#716")]),
        ])
}

private let refusals: [Probe] = [
    .unknownName, .amountZero, .amountBelowMinimum, .amountAboveMaximum, .amountMissing, .verifyUnknown,
]

extension HTTPRule {
    fileprivate func check(
        _ subject: String, _ severity: Severity, _ rule: Rule, breaks brokenClients: [BrokenClient] = []
    ) -> ServiceCheck {
        ServiceCheck(rawValue, subject, severity, rule, breaks: brokenClients, reads: Probe.judgedAsHTTP) {
            evidence throws(Skipped) in
            if self != .redirect, case .success(let first)? = evidence.exchanges[.info]?.outcome, first.json == nil {
                throw Skipped("the first answer is not JSON")
            }
            let answers = Probe.judgedAsHTTP.compactMap { probe -> (Probe, String?)? in
                guard let exchange = evidence.exchanges[probe], exchange.silence == nil,
                    case .success(let answer) = exchange.outcome, !evidence.isLimited(probe, answer),
                    !answer.isUnreadable
                else { return nil }
                if answer.isRedirect {
                    return self == .redirect ? (probe, fault(in: answer, to: .info)) : nil
                }
                guard let step = probe.step(of: answer), applies(to: step) else { return nil }
                // What is no ERROR does not come from the service, but from the server that it runs in.
                let isElsewhere = self != .errorForm && HTTPRule.errorForm.fault(in: answer, to: step) != nil
                return isElsewhere ? nil : (probe, fault(in: answer, to: step))
            }
            guard !answers.isEmpty else { throw Skipped("no answer can be judged") }
            let faults = answers.compactMap { probe, fault in fault.map { (probe, $0) } }
            return faults.isEmpty
                ? .follows(answers.count == 1 ? "1 answer" : "\(answers.count) answers") : .breaking(faults)
        }
    }
}

extension Probe {
    /// Those that the service answers, not a resolver, another host of the same server, or the list of Nostr names.
    fileprivate static let judgedAsHTTP = allCases.filter { ![.dnsName, .nostrName, .infoOtherHost].contains($0) }

    /// What an answer to it is; nil when it is neither what was asked nor a refusal, which has checks of its own.
    fileprivate func step(of answer: HTTPResponse) -> HTTPRule.Step? {
        let json = answer.json
        if step == .preflight || ["pr", "tag", "callback", "settled"].contains(where: { json?[$0] != nil }) {
            return step
        }
        // A service need not understand POST.
        guard self != .invoicePost else { return nil }
        return isWrong || json.flatMap { ErrorResponse(json: $0) } != nil ? .refusal : nil
    }
}
