import OutboundHTTP

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
            ) { evidence throws(Skipped) in
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
            + refusedAmounts + [
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
            probe.rawValue, subject, .must, rule, breaks: brokenClients, reads: [probe, .invoice]
        ) { evidence throws(Skipped) in try evidence.judgeIssued(probe) }
    }

    /// Whether a callback that answers the right request refuses that of a probe.
    static func refused(
        _ probe: Probe, _ subject: String, _ rule: Rule, _ severity: Severity = .must
    ) -> ServiceCheck {
        ServiceCheck(probe.rawValue, subject, severity, rule, reads: [probe, .invoice]) {
            evidence throws(Skipped) in
            try evidence.requireRightInvoice()
            return try evidence.judgeError(probe)
        }
    }

    private static let refusedAmounts: [ServiceCheck] = {
        let limits = Rule("LUD-06", "The amount must be between minSendable and maxSendable.")
        let form = Rule(
            "LUD-06", "amount is a whole number of millisatoshis, once; two readers must not read different ones.")
        return [
            refused(.amountBelowMinimum, "minSendable - 1 as amount is refused", limits),
            refused(.amountAboveMaximum, "maxSendable + 1 as amount is refused", limits),
            refused(.amountZero, "0 as amount is refused", limits),
            refused(.amountNegative, "a negative number as amount is refused", limits),
            refused(.amountExponent, "an exponent, such as 1e3, as amount is refused", form, .should),
            refused(.amountFraction, "a fraction, such as 1000.5, as amount is refused", form, .should),
            refused(.amountHexadecimal, "hexadecimal, such as 0x3e8, as amount is refused", form, .should),
            refused(.amountSign, "+1000 as amount is refused", form, .should),
            refused(.amountSpace, "a number behind a space as amount is refused", form, .should),
            refused(.amountHuge, "more than 2^64 as amount is refused", form, .should),
            refused(.amountEmpty, "an empty text as amount is refused", form, .should),
            refused(.amountMissing, "a missing number as amount is refused", form),
            refused(.amountRepeated, "a second number as amount is refused", form, .should),
        ]
    }()

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
            ) { evidence throws(Skipped) in
                guard case .follows = try evidence.judgeHash(of: .invoice, servedWith: .info) else {
                    throw Skipped("that of an invoice without one is wrong")
                }
                return try evidence.judgeHash(of: .commentLongest, servedWith: .info)
            },
            refused(.commentTooLong, "a comment of one letter more is refused", tooLong),
            refused(.commentTooLongEmoji, "a comment of one emoji more is refused", tooLong),
        ])

    private static let tooLong = Rule(
        "LUD-12", "A service rejects a comment that is longer than it allows; it must not cut it.")
}
