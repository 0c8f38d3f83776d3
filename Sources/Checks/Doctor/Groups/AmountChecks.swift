import LightningCoding

extension CheckGroup {
    static let amounts = CheckGroup(
        "Amounts and parameters",
        [
            ServiceCheck(
                "amount-odd", "an amount that is not a whole sat is exact, or refused", .must,
                Rule("LUD-06", "amount is a number of millisatoshis; the invoice is for exactly that."),
                breaks: [
                    BrokenClient("BitBanana", "getAlby/hub#1465"),
                    BrokenClient("Stacker News", "stackernews/stacker.news#1303"),
                ], reads: [.amountOdd, .invoice]
            ) { evidence throws(ServiceCheck.Skipped) in
                try evidence.requireRightInvoice()
                if case .success? = evidence.exchanges[.amountOdd]?.outcome, try evidence.issued(.amountOdd) != nil {
                    return try evidence.judgeAmount(of: .amountOdd)
                }
                return try evidence.judgeError(.amountOdd)
            },
            issued(
                .amountMinimum, "minSendable is answered with an invoice",
                Rule("LUD-06", "minSendable is an amount that may be sent.")),
            issued(
                .amountMaximum, "maxSendable is answered with an invoice",
                Rule("LUD-06", "maxSendable is an amount that may be sent.")),
        ]
            + AmountForm.all.compactMap { form in
                form.refused.map { words in
                    ServiceCheck(
                        form.probe.rawValue, "\(words) as amount is refused", form.severity, form.rule,
                        reads: [form.probe, .invoice],
                        judge: { evidence throws(ServiceCheck.Skipped) in try evidence.judgeRefused(form.probe) })
                }
            } + [
                issued(
                    .unknownParameter, "unknown parameters are ignored",
                    Rule(
                        "LUD-06",
                        "Wallets append nonce, __n, lnurl and others; a service ignores what it does not know.")),
                issued(
                    .parameterOrder, "amount may stand behind other parameters",
                    Rule("RFC 3986", "A query has no order by which amount would be first."),
                    breaks: [BrokenClient("Breez", "supertestnet/zaplocker#5")]),
            ])

    /// Whether a valid request is answered with an invoice of the amount asked.
    static func issued(
        _ probe: Probe, _ subject: String, _ rule: Rule, breaks brokenClients: [BrokenClient] = []
    ) -> ServiceCheck {
        ServiceCheck(
            probe.rawValue, subject, .must, rule, breaks: brokenClients, reads: [probe, .invoice],
            judge: { evidence throws(ServiceCheck.Skipped) in try evidence.judgeIssued(probe) })
    }
}

extension AmountForm {
    fileprivate var isOutsideLimits: Bool {
        [.amountBelowMinimum, .amountAboveMaximum, .amountZero, .amountNegative].contains(probe)
    }

    fileprivate var severity: Severity { isOutsideLimits || probe == .amountMissing ? .must : .should }

    fileprivate var rule: Rule {
        isOutsideLimits
            ? Rule("LUD-06", "The amount must be between minSendable and maxSendable.")
            : Rule(
                "LUD-06", "amount is a whole number of millisatoshis, once; two readers must not read different ones.")
    }
}

extension CheckGroup {
    static let comments = CheckGroup(
        "Comments",
        [
            issued(
                .commentEmpty, "an empty comment is no comment",
                Rule("practice", "Wallets send the parameter even when nothing was written."),
                breaks: [BrokenClient("Amethyst", "vitorpamplona/amethyst LightningAddressResolver.kt")]),
            issued(
                .commentLongest, "a comment of commentAllowed letters is accepted",
                Rule("LUD-12", "commentAllowed is the number of characters allowed.")),
            issued(
                .commentLongestEmoji, "a comment of commentAllowed emoji is accepted",
                Rule("LUD-12", "It counts characters, not bytes.")),
            ServiceCheck(
                "comment-hash", "the hash of an invoice with a comment is that of the metadata alone", .must,
                Rule("LUD-06", "h is the SHA-256 of the metadata string as it was served; LUD-12 adds nothing to it."),
                reads: [.commentLongest, .info, .invoice]
            ) { evidence throws(ServiceCheck.Skipped) in
                guard case .follows = try evidence.judgeHash(of: .invoice, servedWith: .info) else {
                    throw ServiceCheck.Skipped("that of an invoice without one is wrong")
                }
                return try evidence.judgeHash(of: .commentLongest, servedWith: .info)
            },
            refused(.commentTooLong, "a comment of one letter more is refused"),
            refused(.commentTooLongEmoji, "a comment of one emoji more is refused"),
        ])

    private static func refused(_ probe: Probe, _ subject: String) -> ServiceCheck {
        ServiceCheck(
            probe.rawValue, subject, .must,
            Rule("LUD-12", "A service rejects a comment that is longer than it allows; it must not cut it."),
            reads: [probe, .invoice],
            judge: { evidence throws(ServiceCheck.Skipped) in try evidence.judgeRefused(probe) })
    }
}
