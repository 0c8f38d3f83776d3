import LightningCrypto
import OutboundHTTP
import Bolt11
import LightningCoding
import LNURL

extension CheckGroup {
    static let invoice = CheckGroup(
        "Invoice",
        [
            object("invoice-json", "the second answer is a JSON object", in: .invoice),
            accepted(
                "invoice-answered", "an amount within the limits is answered, not refused",
                Rule("LUD-06", "The service answers an amount between minSendable and maxSendable with an invoice."),
                .invoice),
            ServiceCheck(
                "invoice-present", "pr is a string", .must,
                Rule("LUD-06", "pr: a bech32-serialized lightning invoice."),
                breaks: [BrokenClient("Alby", "getAlby/lightning-browser-extension#2016")], reads: [.invoice]
            ) { evidence throws(Skipped) in
                let value = try evidence.payAnswer()["pr"]
                return value?.string?.isEmpty == false ? .follows() : .breaks("it is \(value.shown)")
            },
            ServiceCheck(
                "invoice-readable", "the invoice can be read, and is signed", .must,
                Rule("BOLT 11", "The rules of a reader, and the signature."), reads: [.invoice]
            ) { evidence throws(Skipped) in
                guard let text = try evidence.issued(.invoice) else { throw Skipped("there is no invoice") }
                do throws(Bolt11Fault) {
                    return .follows("signed by \(try Bolt11Invoice(text).payee.hexadecimal)")
                } catch {
                    return .breaks(error.reason)
                }
            },
            ServiceCheck(
                "invoice-amount", "the invoice is for exactly the amount asked", .must,
                Rule("LUD-06", "A wallet verifies that the amount in the invoice equals the amount asked."),
                reads: [.invoice]
            ) { evidence throws(Skipped) in try evidence.judgeAmount(of: .invoice) },
            ServiceCheck(
                "invoice-network", "the invoice is on the expected network", .must,
                Rule("BOLT 11", "The prefix names the network."), reads: [.invoice]
            ) { evidence throws(Skipped) in
                let found = try evidence.invoice(.invoice).network
                let isExpected = evidence.network.map { $0 == found } ?? (found == .bitcoin || evidence.service.isLocal)
                return isExpected ? .follows(found.rawValue) : .breaks(found.rawValue)
            },
            ServiceCheck(
                "invoice-hash", "the invoice has the hash of a description, not a text", .should,
                Rule("LUD-06", "Its first texts demand a description hash, and wallets still do."),
                breaks: [
                    BrokenClient("BitBanana", "getAlby/hub#1184"), BrokenClient("Phoenix", "ACINQ/phoenix#213"),
                ], reads: [.invoice]
            ) { evidence throws(Skipped) in
                switch try evidence.invoice(.invoice).contents.description {
                case .hash(let hash): .follows(Hexadecimal.encode(hash))
                case .text(let text) where text.utf8.count == 64 && (try? Hexadecimal.decode(text)) != nil:
                    throw Skipped("the text is a hash in hexadecimal")
                case .text(let text): .breaks("the text \"\(text)\"")
                }
            },
            ServiceCheck(
                "invoice-hash-not-text", "the hash is not written as a text", .must,
                Rule("BOLT 11", "d is a description for people, h is the SHA-256 of one."),
                breaks: [BrokenClient("strict wallets", "lnbits/lnbits#3913")], reads: [.invoice]
            ) { evidence throws(Skipped) in
                guard case .text(let text) = try evidence.invoice(.invoice).contents.description else {
                    return .follows()
                }
                return text.utf8.count == 64 && (try? Hexadecimal.decode(text)) != nil
                    ? .breaks("d is \(text)") : .follows()
            },
            ServiceCheck(
                "invoice-hash-matches", "the hash is that of the metadata, byte by byte", .must,
                Rule("LUD-06", "h is the SHA-256 of the metadata string as it was served."),
                breaks: [
                    BrokenClient("strict wallets", "PrimalHQ/primal-web-app#198"),
                    BrokenClient("cdk", "cashubtc/cdk#2235"),
                ], reads: [.invoice, .info],
                judge: { evidence throws(Skipped) in
                    try evidence.judgeHash(of: .invoice, servedWith: .info)
                }),
            ServiceCheck(
                "invoice-fresh", "the invoice has not expired", .must,
                Rule("BOLT 11", "A payer must not pay after the expiry."), reads: [.invoice]
            ) { evidence throws(Skipped) in
                let invoice = try evidence.invoice(.invoice)
                return invoice.contents.isExpired(at: evidence.now)
                    ? .breaks("expired at \(invoice.contents.expiresAt.iso8601)")
                    : .follows("until \(invoice.contents.expiresAt.iso8601)")
            },
            ServiceCheck(
                "invoice-expiry", "the payer has at least a minute", .should,
                Rule("practice", "A person must confirm, and a payment may take several tries."), reads: [.invoice]
            ) { evidence throws(Skipped) in
                let invoice = try evidence.invoice(.invoice)
                guard !invoice.contents.isExpired(at: evidence.now) else { throw Skipped("it has expired") }
                let left = invoice.contents.expiresAt.seconds(since: evidence.now)
                return left < 60 ? .breaks("\(left) seconds") : .follows("\(left) seconds")
            },
            ServiceCheck(
                "invoice-time", "the invoice is not from the future", .should,
                Rule("BOLT 11", "The timestamp is the time of making it; one of the clocks is wrong."),
                reads: [.invoice]
            ) { evidence throws(Skipped) in
                let made = try evidence.invoice(.invoice).contents.timestamp
                return made.seconds(since: evidence.now) > 600 ? .breaks(made.iso8601) : .follows(made.iso8601)
            },
            ServiceCheck(
                "routes", "routes is an empty array", .should,
                Rule("LUD-06", "routes: [] is obsolete, and still part of the answer."), reads: [.invoice]
            ) { evidence throws(Skipped) in
                let value = try evidence.payAnswer()["routes"]
                return value == [] ? .follows() : .breaks("it is \(value.shown)")
            },
            ServiceCheck(
                "disposable", "disposable is true, false or null", .must,
                Rule("LUD-11", "disposable: true, false, or null, which means true."), reads: [.invoice]
            ) { evidence throws(Skipped) in
                guard let value = try evidence.payAnswer()["disposable"], !value.isNull else {
                    throw Skipped("nothing is said")
                }
                return value.bool.map { .follows("\($0)") } ?? .breaks("it is \(value.serialized())")
            },
            ServiceCheck(
                "disposable-address", "an address is not disposable", .should,
                Rule("LUD-11", "Without disposable: false a wallet does not keep the link."), reads: [.invoice]
            ) { evidence throws(Skipped) in
                guard evidence.service.address != nil else { throw Skipped("it is no address") }
                let value = try evidence.payAnswer()["disposable"] ?? .null
                guard value.isNull || value.bool != nil else { throw Skipped("disposable cannot be read") }
                return value.bool == false
                    ? .follows("disposable is false") : .breaks("disposable is \(value.serialized())")
            },
            knownMembers(
                "invoice-known-members", "the second answer has only members that readers know", of: .invoice,
                ["pr", "routes", "disposable", "successAction", "verify", "status"]
            ) { evidence throws(Skipped) in try evidence.payAnswer() },
            ServiceCheck(
                "post", "a POST is answered like a GET, when it is understood", .must,
                Rule("LUD-26", "Any callback may be called by POST, with the parameters in a JSON body."),
                reads: [.invoicePost]
            ) { evidence throws(Skipped) in
                try evidence.requireRightInvoice()
                guard try evidence.issued(.invoicePost) != nil else {
                    throw Skipped("POST is not understood, which is allowed")
                }
                let asked = evidence.amount(askedBy: .invoice).map { Millisatoshi($0) }
                let found = try evidence.invoice(.invoicePost).amount
                return found == asked
                    ? .follows("understood") : .breaks("another amount, \(found?.formatted ?? "none")")
            },
        ])
}

extension Evidence {
    /// Whether the invoice of a probe is for the amount that the probe asked.
    func judgeAmount(of probe: Probe) throws(Skipped) -> Judgment {
        let found = try invoice(probe).amount
        guard let asked = amount(askedBy: probe).map({ Millisatoshi($0) }) else { throw Skipped("no amount was asked") }
        return found == asked
            ? .follows("\(asked.msat) msat")
            : .breaks("\(found.map { "\($0.msat) msat" } ?? "none"), but \(asked.msat) msat was asked")
    }

    /// Whether the hash of an invoice is that of the metadata served, with or without the payer data (LUD-18).
    func judgeHash(
        of probe: Probe, servedWith info: Probe
    ) throws(Skipped) -> Judgment {
        guard case .hash(let found) = try invoice(probe).contents.description else {
            throw Skipped("the invoice has no hash")
        }
        let metadata = try EvidenceSource(evidence: self, probe: info).metadata()
        if found == PayMetadata.descriptionHash(of: metadata) { return .follows() }
        if let data = parameter("payerdata", of: probe),
            found == PayMetadata.descriptionHash(of: metadata, payerData: data)
        {
            return .follows("that of the metadata and the payer data, as in LUD-18's first text")
        }
        return .breaks("\(Hexadecimal.encode(found)) is another text's", at: [probe, info])
    }

    /// Throws unless the first invoice is for the amount asked: then its faults are reported already.
    func requireRightInvoice() throws(Skipped) {
        guard case .follows = try judgeAmount(of: .invoice) else {
            throw Skipped("the first invoice is for another amount")
        }
    }

    /// Whether the request of a probe was answered with an invoice of the amount asked, once another was.
    func judgeIssued(_ probe: Probe) throws(Skipped) -> Judgment {
        try requireRightInvoice()
        guard try issued(probe) == nil else { return try judgeAmount(of: probe) }
        return .breaks(try refusal(probe).map { "refused: \($0)" } ?? "neither an invoice nor an ERROR")
    }

    /// Whether the answer to a probe is an ERROR that a payer can read, and nothing else.
    func judgeError(_ probe: Probe) throws(Skipped) -> Judgment {
        let json = try json(probe)
        let accepted = ["pr", "callback", "metadata", "settled"].first { name in
            json?[name].map { !$0.isNull && $0 != "" } ?? false
        }
        if let accepted { return .breaks("not refused: the answer has \(accepted)") }
        guard try refusal(probe) == nil, !probe.isOfUnknownPath else { return .follows() }
        guard !probe.isWrong else { throw Skipped("its ERROR has another form: see error-form") }
        return .breaks("the answer, of status \(try answer(probe).status), is no ERROR")
    }
}
