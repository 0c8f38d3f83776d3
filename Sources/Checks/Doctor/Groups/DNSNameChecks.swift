import Bolt12
import LightningCoding

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
                items, _, _ throws(ServiceCheck.Skipped) in
                guard let text = items.first(where: { $0.name.lowercased() == "lno" })?.value else {
                    throw ServiceCheck.Skipped("there is no lno")
                }
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
            ) { items, path, _ throws(ServiceCheck.Skipped) in
                let names = items.map { $0.name.lowercased() }
                guard !names.contains("lightning") else { return .breaks("it has lightning=, which is paid once") }
                return names.contains("lno") || names.contains("sp") || !path.isEmpty
                    ? .follows(names.joined(separator: ", ")) : .breaks("it has nothing to pay")
            },
            paymentCheck(
                "dns-name-lifetime", "the record ends before its offer does",
                "The TTL must not outlive what can be paid.",
                .must
            ) { items, _, context throws(ServiceCheck.Skipped) in
                guard let text = items.first(where: { $0.name.lowercased() == "lno" })?.value,
                    let expiry = (try? Offer(text))?.fields.absoluteExpiry
                else { throw ServiceCheck.Skipped("there is no offer that ends") }
                let left = expiry.seconds(since: context.now)
                return UInt64(context.timeToLive) <= left
                    ? .follows("TTL \(context.timeToLive) s, \(left) s left")
                    : .breaks("TTL \(context.timeToLive) s, but the offer ends in \(left) s")
            },
            ServiceCheck(
                "dns-name-empty", "a name without records does not exist", .should,
                Rule("RFC 4592", "A name below which others exist has no records and hides the wildcard."),
                breaks: [BrokenClient("Phoenix", "ACINQ/phoenix#599")], reads: [.dnsName]
            ) { evidence throws(ServiceCheck.Skipped) in
                let reply = try evidence.dnsReply()
                guard reply.records.isEmpty else { return .follows("it has records") }
                return reply.code == 0 ? .breaks("it exists, with no TXT record") : .follows("it does not exist")
            },
        ])

    private static func dnsCheck(
        _ name: String, _ subject: String, _ text: String, _ severity: Severity = .must,
        breaks brokenClients: [BrokenClient] = [],
        judge: @escaping @Sendable (DNSReply, Evidence) throws(ServiceCheck.Skipped) -> ServiceCheck.Judgment
    ) -> ServiceCheck {
        ServiceCheck(name, subject, severity, Rule("BIP-353", text), breaks: brokenClients, reads: [.dnsName]) {
            evidence throws(ServiceCheck.Skipped) in
            let reply = try evidence.dnsReply()
            guard !reply.paymentRecords.isEmpty else { throw ServiceCheck.Skipped("there is no such record") }
            return try judge(reply, evidence)
        }
    }

    private struct Context {
        let timeToLive: UInt32
        let now: UnixTime
    }

    /// A check of the one record's URI (BIP-321).
    private static func paymentCheck(
        _ name: String, _ subject: String, _ text: String, _ severity: Severity,
        judge:
            @escaping @Sendable ([(name: String, value: String)], Substring, Context) throws(ServiceCheck.Skipped)
            -> ServiceCheck.Judgment
    ) -> ServiceCheck {
        dnsCheck(name, subject, text, severity) { reply, evidence throws(ServiceCheck.Skipped) in
            guard reply.paymentRecords.count == 1, let record = reply.paymentRecords.first else {
                throw ServiceCheck.Skipped("there are several records")
            }
            let rest = record.text.dropFirst("bitcoin:".count)
            let path = rest.prefix { $0 != "?" }
            let query = rest.dropFirst(path.count + 1).split(separator: "&").map { item in
                let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (name: String(parts[0]), value: parts.count == 2 ? String(parts[1]) : "")
            }
            return try judge(query, path, Context(timeToLive: record.timeToLive, now: evidence.now))
        }
    }
}

extension Evidence {
    fileprivate func dnsReply() throws(ServiceCheck.Skipped) -> DNSReply {
        guard service.resolver != nil else { throw ServiceCheck.Skipped("no --resolver was given") }
        let body = try answer(.dnsName).body
        guard let reply = try? DNSReply(parsing: body) else {
            throw ServiceCheck.Skipped("the resolver's answer is no DNS message")
        }
        guard reply.code == 0 || reply.code == 3 else {
            throw ServiceCheck.Skipped("the resolver failed, code \(reply.code)")
        }
        return reply
    }
}

extension DNSReply {
    /// The records that count (BIP-353).
    fileprivate var paymentRecords: [Record] {
        records.filter { $0.text.prefix("bitcoin:".count).lowercased() == "bitcoin:" }
    }
}
