import Bolt11
import LightningCoding

extension CheckGroup {
    static let repetition = CheckGroup(
        "Two rounds",
        [
            ServiceCheck(
                "metadata-stable", "the metadata are the same in both rounds", .should,
                Rule("practice", "Wallets keep the first answer, and compare the hash of a later invoice with it."),
                reads: [.infoAgain, .info]
            ) { evidence throws(Skipped) in
                try evidence.info.metadata().isExactly(try evidence.infoAgain.metadata())
                    ? .follows() : .breaks("they differ", at: [.infoAgain, .info])
            },
            ServiceCheck(
                "limits-stable", "the limits are the same in both rounds", .should,
                Rule("practice", "Wallets keep the limits for a while."), reads: [.infoAgain, .info]
            ) { evidence throws(Skipped) in
                try evidence.info.limits() == (try evidence.infoAgain.limits())
                    ? .follows() : .breaks("they differ", at: [.infoAgain, .info])
            },
            ServiceCheck(
                "hash-again", "the second round's hash is that of the metadata served in it", .must,
                Rule("LUD-06", "h is the SHA-256 of the metadata string as it was served."),
                breaks: [BrokenClient("strict wallets", "PrimalHQ/primal-web-app#198")],
                reads: [.invoiceAgain, .infoAgain]
            ) { evidence throws(Skipped) in
                guard case .follows = try evidence.judgeHash(of: .invoice, servedWith: .info) else {
                    throw Skipped("that of the first is wrong")
                }
                return try evidence.judgeHash(of: .invoiceAgain, servedWith: .infoAgain)
            },
            ServiceCheck(
                "invoice-unique", "each request has an invoice of its own", .must,
                Rule("BOLT 11", "An invoice is paid once; a payer of one that was shown to another loses the money."),
                reads: [.invoiceAgain, .invoice]
            ) { evidence throws(Skipped) in
                try evidence.invoice(.invoice).paymentHash == (try evidence.invoice(.invoiceAgain).paymentHash)
                    ? .breaks("both have the same payment hash", at: [.invoice, .invoiceAgain]) : .follows()
            },
        ])
}
