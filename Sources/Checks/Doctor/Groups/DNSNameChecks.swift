import Bolt12
import LightningCoding
import OutboundHTTP

extension CheckGroup {
    static let dnsName = CheckGroup(
        "DNS name",
        [
            dnsCheck(
                "dns-name-one", "there is one record that begins with bitcoin:",
                "Several records that begin with bitcoin: are invalid."
            ) { reply, _ in
                let count = reply.paymentRecords.count
                return count == 1 ? .follows("one") : .breaks("there are \(count)")
            },
            dnsCheck(
                "dns-name-alone", "there is no other TXT record at that name",
                "Readers ignore others; some take the first.", .should,
                breaks: [BrokenClient("Zeus", "ZeusLN/zeus#4361")]
            ) { reply, _ in
                let others = reply.records.count - reply.paymentRecords.count
                return others == 0 ? .follows() : .breaks("there are \(others)")
            },
            dnsCheck(
                "dns-name-signed", "the resolver says that the signatures are right",
                "Records must be signed up to the root. The AD bit is the resolver's claim, not a proof.", .should
            ) { reply, _ in reply.isAuthenticated ? .follows("AD is set") : .breaks("AD is not set") },
            paymentCheck("dns-name-offer", "lno is a BOLT12 offer", "bitcoin:?lno=<offer>.", .must) {
                record, _ throws(Skipped) in
                guard let text = record.offer else { throw Skipped("there is no lno") }
                do throws(OfferFault) {
                    return .follows(try Offer(text).id.description)
                } catch {
                    return .breaks(error.reason)
                }
            },
            paymentCheck(
                "dns-name-payable", "the record has something that can be paid again and again",
                "A record stays: it holds an offer, a silent payment address or an address, not a BOLT11 invoice.",
                .must
            ) { record, _ in
                let names = record.parameters.map(\.name)
                guard !names.contains("lightning") else { return .breaks("it has lightning=, which is paid once") }
                return names.contains("lno") || names.contains("sp") || !record.address.isEmpty
                    ? .follows(names.joined(separator: ", ")) : .breaks("it has nothing to pay")
            },
            paymentCheck(
                "dns-name-lifetime", "the record ends before its offer does",
                "The TTL must not outlive what can be paid.",
                .must
            ) { record, now throws(Skipped) in
                guard let text = record.offer, let expiry = (try? Offer(text))?.fields.absoluteExpiry else {
                    throw Skipped("there is no offer that ends")
                }
                let left = expiry.seconds(since: now)
                return UInt64(record.timeToLive) <= left
                    ? .follows("TTL \(record.timeToLive) s, \(left) s left")
                    : .breaks("TTL \(record.timeToLive) s, but the offer ends in \(left) s")
            },
            ServiceCheck(
                "dns-name-empty", "a name without records does not exist", .should,
                Rule("RFC 4592", "A name below which others exist has no records and hides the wildcard."),
                breaks: [BrokenClient("Phoenix", "ACINQ/phoenix#599")], reads: [.dnsName]
            ) { evidence throws(Skipped) in
                let reply = try evidence.dnsReply()
                guard reply.records.isEmpty else { return .follows("it has records") }
                return reply.code == 0 ? .breaks("it exists, with no TXT record") : .follows("it does not exist")
            },
        ])

    private static func dnsCheck(
        _ name: String, _ subject: String, _ text: String, _ severity: Severity = .must,
        breaks brokenClients: [BrokenClient] = [],
        judge: @escaping @Sendable (DNSReply, Evidence) throws(Skipped) -> Judgment
    ) -> ServiceCheck {
        ServiceCheck(name, subject, severity, Rule("BIP-353", text), breaks: brokenClients, reads: [.dnsName]) {
            evidence throws(Skipped) in
            let reply = try evidence.dnsReply()
            guard !reply.paymentRecords.isEmpty else { throw Skipped("there is no such record") }
            return try judge(reply, evidence)
        }
    }

    /// A check of the one record's URI (BIP-321).
    private static func paymentCheck(
        _ name: String, _ subject: String, _ text: String, _ severity: Severity,
        judge: @escaping @Sendable (DNSReply.Record, UnixTime) throws(Skipped) -> Judgment
    ) -> ServiceCheck {
        dnsCheck(name, subject, text, severity) { reply, evidence throws(Skipped) in
            guard reply.paymentRecords.count == 1, let record = reply.paymentRecords.first else {
                throw Skipped("there are several records")
            }
            return try judge(record, evidence.now)
        }
    }
}

extension Evidence {
    fileprivate func dnsReply() throws(Skipped) -> DNSReply {
        guard service.resolver != nil else { throw Skipped("no --resolver was given") }
        let body = try answer(.dnsName).body
        guard let reply = try? DNSReply(parsing: body) else { throw Skipped("the resolver's answer is no DNS message") }
        guard reply.code == 0 || reply.code == 3 else { throw Skipped("the resolver failed, code \(reply.code)") }
        return reply
    }
}

extension DNSReply {
    /// The records that count (BIP-353).
    fileprivate var paymentRecords: [Record] {
        records.filter { $0.text.prefix("bitcoin:".count).lowercased() == "bitcoin:" }
    }
}

extension DNSReply.Record {
    /// What stands before the parameters of `bitcoin:`.
    fileprivate var address: Substring { text.dropFirst("bitcoin:".count).prefix { $0 != "?" } }

    /// The parameters, with names in lower case.
    fileprivate var parameters: [(name: String, value: String)] {
        text.drop { $0 != "?" }.dropFirst().split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (parts[0].lowercased(), parts.count == 2 ? String(parts[1]) : "")
        }
    }

    fileprivate var offer: String? { parameters.first { $0.name == "lno" }?.value }
}
