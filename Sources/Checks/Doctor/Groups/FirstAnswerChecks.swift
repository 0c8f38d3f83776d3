import LightningCoding
import LNURL

extension CheckGroup {
    static let firstAnswer = CheckGroup(
        "First answer",
        [
            object("info-json", "the first answer is a JSON object", in: .info),
            accepted("info-accepted", "the address is known", Rule("LUD-16", "The answer is that of LUD-06."), .info),
            ServiceCheck(
                "tag", "the tag is payRequest", .must, Rule("LUD-06", "tag: \"payRequest\"."), reads: [.info]
            ) { evidence throws(Skipped) in
                let tag = try evidence.info.object()["tag"]
                return tag == "payRequest" ? .follows() : .breaks("it is \(tag.shown)")
            },
            ServiceCheck(
                "callback", "the callback is a URL", .must,
                Rule("LUD-06", "callback: the URL that will accept the pay request parameters."), reads: [.info]
            ) { evidence throws(Skipped) in
                let value = try evidence.info.object()["callback"]
                guard let text = value?.string else { return .breaks("it is \(value.shown)") }
                do throws(URLFault) {
                    return .follows(try HTTPURL(text).text)
                } catch {
                    return .breaks("\(text): \(error.reason)")
                }
            },
            ServiceCheck(
                "callback-https", "the callback is https, or an onion's", .must,
                Rule("LUD-01", "A URL must be https with a certificate that is not self-signed, or http to an onion."),
                breaks: [BrokenClient("BlueWallet", "bumi/lnme#29")], reads: [.info]
            ) { evidence throws(Skipped) in
                let callback = try evidence.info.callback()
                if callback.isLoopback, evidence.service.isLocal {
                    throw Skipped("the service is on this machine")
                }
                return evidence.mayAsk(callback) ? .follows() : .breaks(callback.text)
            },
            ServiceCheck(
                "callback-host", "the callback is at the host of the address, in the same letters", .should,
                Rule("practice", "Wallets refuse a callback at another host."),
                breaks: [
                    BrokenClient("SBW", "Tactical-Advantage-Trading/wallet#59"),
                    BrokenClient("Cashu", "cashubtc/wallet#346"),
                ], reads: [.info]
            ) { evidence throws(Skipped) in
                let callback = try evidence.info.callback()
                let text = try evidence.info.object()["callback"]?.string ?? ""
                guard callback.host == evidence.service.url.host else { return .breaks("it is at \(callback.host)") }
                return text.contains(callback.host) ? .follows(callback.host) : .breaks("in other letters: \(text)")
            },
            ServiceCheck(
                "callback-path", "the callback has no query", .should,
                Rule("practice", "Wallets append ?amount= without looking, or drop what is there."),
                breaks: [
                    BrokenClient("Primal", "PrimalHQ/primal-web-app#159"), BrokenClient("Zeus", "ZeusLN/zeus#401"),
                    BrokenClient("Blixt", "smolcars/blixt-wallet#271"),
                    BrokenClient("Damus drops it", "damus-io/damus Zap.swift"),
                ], reads: [.info]
            ) { evidence throws(Skipped) in
                let callback = try evidence.info.callback()
                return callback.query.map { .breaks("it has ?\($0)") } ?? .follows("only a path")
            },
            ServiceCheck(
                "callback-port", "the callback does not write the usual port", .should,
                Rule("practice", "Clients compare hosts with their ports as text."),
                breaks: [BrokenClient("LNbits", "lnbits/lnbits#3170")], reads: [.info]
            ) { evidence throws(Skipped) in
                let callback = try evidence.info.callback()
                let usual: UInt16 = callback.scheme == .https ? 443 : 80
                return callback.port == usual ? .breaks(callback.authority) : .follows(callback.authority)
            },
            ServiceCheck(
                "limits-integers", "minSendable and maxSendable are JSON integers", .must,
                Rule("LUD-06", "minSendable and maxSendable are numbers of millisatoshis."), reads: [.info]
            ) { evidence throws(Skipped) in
                let object = try evidence.info.object()
                let wrong = ["minSendable", "maxSendable"].filter {
                    object[$0]?.uint64 == nil && object[$0]?.int64 == nil
                }
                return wrong.isEmpty
                    ? .follows()
                    : .breaks(wrong.map { "\($0) is \(object[$0].shown)" }.joined(separator: ", "))
            },
            ServiceCheck(
                "limits-positive", "minSendable is at least 1", .must,
                Rule("LUD-06", "minSendable cannot be less than 1 or more than maxSendable."), reads: [.info]
            ) { evidence throws(Skipped) in
                let minimum = try evidence.info.number("minSendable")
                return minimum > 0
                    ? .follows("\(minimum) msat") : .breaks("it is \(try evidence.info.object()["minSendable"].shown)")
            },
            ServiceCheck(
                "limits-ordered", "minSendable is at most maxSendable", .must,
                Rule("LUD-06", "minSendable cannot be less than 1 or more than maxSendable."), reads: [.info]
            ) { evidence throws(Skipped) in
                let object = try evidence.info.object()
                let (minimum, maximum) = (object["minSendable"].shown, object["maxSendable"].shown)
                return try evidence.info.number("minSendable") <= (try evidence.info.number("maxSendable"))
                    ? .follows("\(minimum) to \(maximum) msat") : .breaks("\(minimum) is more than \(maximum)")
            },
            ServiceCheck(
                "limits-exact", "the limits are below 2^53", .should,
                Rule("RFC 8259", "Integers beyond 2^53 are not read exactly by JavaScript."), reads: [.info]
            ) { evidence throws(Skipped) in
                let maximum = try evidence.info.number("maxSendable")
                return maximum < 1 << 53 ? .follows("\(maximum) msat") : .breaks("maxSendable is \(maximum)")
            },
            ServiceCheck(
                "minimum-usual", "minSendable is 1000", .should,
                Rule("practice", "Whole-sat wallets send amounts of 1 sat and more, and stumble over other minimums."),
                breaks: [
                    BrokenClient("Phoenix, Wallet of Satoshi, Cash App", "be-BOP-io-SA/be-BOP#2555"),
                    BrokenClient("probes with 1 sat", "stackernews/stacker.news#2138"),
                ], reads: [.info]
            ) { evidence throws(Skipped) in
                let minimum = try evidence.info.number("minSendable")
                guard minimum > 0, minimum <= (try evidence.info.number("maxSendable")) else {
                    throw Skipped("the limits are wrong")
                }
                return minimum == 1000 ? .follows("1000 msat") : .breaks("it is \(minimum)")
            },
            ServiceCheck(
                "comment-allowed", "commentAllowed is an integer", .must,
                Rule("LUD-12", "commentAllowed is the number of characters allowed."), reads: [.info]
            ) { evidence throws(Skipped) in
                guard let value = try evidence.info.object()["commentAllowed"] else {
                    throw Skipped("no comment is allowed")
                }
                return value.uint64.map { .follows("\($0) characters") } ?? .breaks("it is \(value.serialized())")
            },
            ServiceCheck(
                "withdraw-link", "withdrawLink is an LNURL", .must,
                Rule("LUD-19", "withdrawLink is the LNURL of a withdrawRequest, in the form of LUD-17 or LUD-01."),
                reads: [.info]
            ) { evidence throws(Skipped) in
                guard let value = evidence.info.member("withdrawLink") else { throw Skipped("there is none") }
                guard let text = value.string, let target = try? LNURLTarget(text), target.url != nil else {
                    return .breaks("it is \(value.serialized())")
                }
                return .follows()
            },
            knownMembers(
                "info-known-members", "the first answer has only members that readers know", of: .info,
                [
                    "tag", "callback", "minSendable", "maxSendable", "metadata", "commentAllowed", "payerData",
                    "allowsNostr", "nostrPubkey", "withdrawLink", "status",
                ]
            ) { evidence throws(Skipped) in try evidence.info.object() },
            ServiceCheck(
                "info-unknown-parameter", "an unknown parameter is ignored by the first step", .should,
                Rule("practice", "Wallets append parameters of their own, such as nonce."),
                reads: [.infoUnknownParameter, .info]
            ) { evidence throws(Skipped) in
                _ = try evidence.info.object()
                return try evidence.isInfo(.infoUnknownParameter)
                    ? .follows() : .breaks("the request is refused")
            },
        ])
}

extension JSONValue? {
    var shown: String {
        guard let self else { return "missing" }
        let text = self.serialized()
        return text.count > 60 ? text.prefix(60) + "…" : text
    }
}

// MARK: - Both answers

extension CheckGroup {
    static func object(_ name: String, _ subject: String, in probe: Probe) -> ServiceCheck {
        ServiceCheck(
            name, subject, .must, Rule("LUD-06", "The service answers with a JSON object."), reads: [probe]
        ) { evidence throws(Skipped) in
            guard let json = try evidence.json(probe) else { return .breaks("it is not JSON") }
            return json.object == nil ? .breaks("it is not an object") : .follows()
        }
    }

    static func accepted(_ name: String, _ subject: String, _ rule: Rule, _ probe: Probe) -> ServiceCheck {
        ServiceCheck(name, subject, .must, rule, reads: [probe]) { evidence throws(Skipped) in
            _ = try evidence.object(probe)
            return try evidence.refusal(probe).map { .breaks("refused: \($0)") } ?? .follows()
        }
    }

    static func knownMembers(
        _ name: String, _ subject: String, of probe: Probe, _ known: Set<String>,
        in object: @escaping @Sendable (Evidence) throws(Skipped) -> JSONObject
    ) -> ServiceCheck {
        ServiceCheck(
            name, subject, .should,
            Rule("practice", "The Python package lnurl, and with it LNbits, refuses members that it does not know."),
            breaks: [BrokenClient("LNbits", "lnbits/lnurl, extra=forbid")], reads: [probe]
        ) { evidence throws(Skipped) in
            let unknown = try object(evidence).members.map(\.key).filter { !known.contains($0) }
            return unknown.isEmpty ? .follows() : .breaks(unknown.joined(separator: ", "))
        }
    }
}
