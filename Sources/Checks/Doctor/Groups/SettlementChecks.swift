import Bolt11
import LightningCoding

extension CheckGroup {
    static let settlement = CheckGroup(
        "Verification",
        [
            ServiceCheck(
                "verify-offered", "there is a verify URL", .should,
                Rule("LUD-21", "verify: a URL that tells whether the invoice is paid."),
                breaks: [BrokenClient("shops", "blinkbitcoin/blink-mobile#3455")], reads: [.invoice]
            ) { evidence throws(Skipped) in
                let value = try evidence.payAnswer()["verify"] ?? .null
                return value.isNull ? .breaks("there is none") : .follows()
            },
            ServiceCheck(
                "verify-url", "the verify URL is https, or an onion's", .must,
                Rule("LUD-01", "A URL must be https with a certificate that is not self-signed, or http to an onion."),
                reads: [.invoice]
            ) { evidence throws(Skipped) in
                guard let value = try evidence.payAnswer()["verify"], !value.isNull else {
                    throw Skipped("there is no verify URL")
                }
                guard let url = try? evidence.verifyURL() else { return .breaks("it is \(value.serialized())") }
                return evidence.mayAsk(url) ? .follows(url.text) : .breaks(url.text)
            },
            ServiceCheck(
                "verify-answered", "the service knows the invoice that it has just issued", .must,
                Rule("LUD-21", "A GET of the URL answers with the state of the invoice."), reads: [.verify]
            ) { evidence throws(Skipped) in
                guard try evidence.json(.verify)?.object != nil else { return .breaks("it is no JSON object") }
                return try evidence.refusal(.verify).map { .breaks("refused: \($0)") } ?? .follows()
            },
            ServiceCheck(
                "verify-status", "the status is OK", .must, Rule("LUD-21", "status: \"OK\"."), reads: [.verify]
            ) { evidence throws(Skipped) in
                let value = try evidence.settlement(.verify)["status"]
                return value == "OK" ? .follows() : .breaks("it is \(value.shown)")
            },
            ServiceCheck(
                "verify-settled", "settled is false for an invoice that nobody has paid", .must,
                Rule("LUD-21", "settled: false until the payment is settled."), reads: [.verify]
            ) { evidence throws(Skipped) in
                _ = try evidence.payAnswer()
                let value = try evidence.settlement(.verify)["settled"]
                return value == false ? .follows() : .breaks("it is \(value.shown)")
            },
            ServiceCheck(
                "verify-preimage", "the preimage is null before the payment, also when asked again", .must,
                Rule("LUD-21", "preimage: null until the payment is settled; it is the proof of payment."),
                reads: [.verify, .verifyAgain]
            ) { evidence throws(Skipped) in
                _ = try evidence.payAnswer()
                let answers = [try evidence.settlement(.verify), try? evidence.settlement(.verifyAgain)].compactMap(
                    \.self)
                let early = answers.contains { $0["preimage"]?.string?.isEmpty == false }
                if early { return .breaks("it is shown") }
                let other = answers.map { $0["preimage"] }.first { $0 != .null }
                return other.map { .breaks("it is \($0.shown)") } ?? .follows()
            },
            ServiceCheck(
                "verify-invoice", "pr is the invoice that was issued", .must,
                Rule("LUD-21", "pr: the invoice."), reads: [.verify, .invoice]
            ) { evidence throws(Skipped) in
                let value = try evidence.settlement(.verify)["pr"]
                let issued = try evidence.invoice(.invoice).text.lowercasedASCII
                // BOLT 11 may be written in capital letters.
                return value?.string?.lowercasedASCII.isExactly(issued) == true
                    ? .follows() : .breaks("it is \(value.shown)", at: [.verify, .invoice])
            },
            ServiceCheck(
                "verify-upper-case", "the payment hash is found in capital letters", .should,
                Rule("practice", "Hexadecimal is read in either case."), reads: [.verifyUpperCase, .verify]
            ) { evidence throws(Skipped) in
                _ = try evidence.settlement(.verify)
                return try evidence.json(.verifyUpperCase)?["settled"] == nil
                    ? .breaks("it is refused") : .follows()
            },
            unknown(.verifyUnknown, "a payment hash that nobody knows is refused"),
            unknown(.verifyOtherName, "the payment hash of one name is refused under another"),
            unknown(.verifyMalformed, "a payment hash that is too short is refused"),
        ])

    private static func unknown(_ probe: Probe, _ subject: String) -> ServiceCheck {
        ServiceCheck(
            probe.rawValue, subject, .must,
            Rule("LUD-21", "{\"status\":\"ERROR\",\"reason\":\"Not found\"} for an invoice that is not known."),
            reads: [probe, .verify]
        ) { evidence throws(Skipped) in
            _ = try evidence.settlement(.verify)
            return try evidence.judgeError(probe)
        }
    }
}
