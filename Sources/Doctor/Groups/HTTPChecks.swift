import LightningCoding

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
            ) { evidence throws(ServiceCheck.Skipped) in
                let reasons = refusals.compactMap { try? evidence.refusal($0) }
                guard !reasons.isEmpty else { throw ServiceCheck.Skipped("nothing was refused") }
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

/// The probes that a service refuses.
private let refusals: [Probe] = [
    .unknownName, .amountZero, .amountBelowMinimum, .amountAboveMaximum, .amountMissing, .verifyUnknown,
]

extension HTTPRule {
    private static let steps: [(Probe, Step)] = [
        (.info, .info), (.invoice, .invoice), (.verify, .verify), (.unknownName, .refusal), (.amountZero, .refusal),
        (.amountBelowMinimum, .refusal), (.verifyUnknown, .refusal), (.infoPreflight, .preflight),
        (.invoicePreflight, .preflight),
    ]

    /// The check of this rule on every kind of answer.
    fileprivate func check(
        _ subject: String, _ severity: Severity, _ rule: Rule, breaks brokenClients: [BrokenClient] = []
    ) -> ServiceCheck {
        ServiceCheck(rawValue, subject, severity, rule, breaks: brokenClients, reads: Self.steps.map(\.0)) {
            evidence throws(ServiceCheck.Skipped) in
            let answers = Self.steps.compactMap { probe, step -> (Probe, String?)? in
                guard case .success(let answer)? = evidence.exchanges[probe]?.outcome,
                    step == .preflight || evidence.isRefusal(probe, answer) == (step == .refusal) || self == .redirect,
                    !(300...399).contains(answer.status) || self == .redirect
                else { return nil }
                return (probe, fault(in: answer, to: step))
            }
            guard !answers.isEmpty else { throw ServiceCheck.Skipped("there was no answer") }
            let faults = answers.compactMap { probe, fault in fault.map { probe.rawValue + ": " + $0 } }
            return faults.isEmpty
                ? .follows("\(answers.count) answers") : .breaks(faults.joined(separator: "; "))
        }
    }
}

extension Evidence {
    /// Whether an answer is meant as a refusal: it has no answer to what was asked.
    fileprivate func isRefusal(_ probe: Probe, _ answer: RecordedAnswer) -> Bool {
        let json = answer.json
        return json?["pr"] == nil && json?["tag"] == nil && json?["callback"] == nil && json?["settled"] == nil
    }
}
