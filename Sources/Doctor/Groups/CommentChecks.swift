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
