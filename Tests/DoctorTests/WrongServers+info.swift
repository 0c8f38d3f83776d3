import LightningCoding

extension WrongServer {
    static let info: [WrongServer] = [
        WrongServer("info-json", "HTML", .rawInfo("<html></html>")),
        WrongServer("info-json", "an array", .rawInfo("[]")),
        WrongServer(
            "info-json", "a page for everything",
            .with { fault in
                fault.after = { _, answer in
                    answer = ServedAnswer(headers: ["Content-Type: text/html"], body: [:])
                    answer.raw = Array("<html></html>".utf8)
                }
            }),
        WrongServer("info-accepted", .refusing { $0.isInfo }),
        WrongServer("tag", .info { $0["tag"] = "payrequest" }),
        WrongServer("callback", "missing", .info { $0["callback"] = nil }),
        WrongServer("callback", "lnurlp", .info { $0["callback"] = "lnurlp://127.0.0.1/callback" }),
        WrongServer(
            "callback-https",
            .with { fault in
                fault.domain = "pay.example"
                fault.after = { request, answer in
                    if request.isInfo, !answer.isError { answer.body["callback"] = "http://pay.example/callback/alice" }
                }
            }),
        WrongServer(
            "callback-host", "another", .info { $0.replaceCallback("127.0.0.1", "localhost") }),
        WrongServer(
            "callback-host", "in other letters",
            .with { fault in
                fault.domain = "pay.example"
                fault.after = { request, answer in
                    if request.isInfo { answer.body.replaceCallback("pay.example", "Pay.Example") }
                }
            }),
        WrongServer(
            "callback-path",
            .info { body in body["callback"] = body["callback"]?.string.map { .string($0 + "?user=1") } }),
        WrongServer(
            "callback-port",
            .with { fault in
                fault.domain = "pay.example"
                fault.after = { request, answer in
                    if request.isInfo { answer.body.replaceCallback("pay.example", "pay.example:443") }
                }
            }),
        WrongServer("limits-integers", "texts", .info { $0["minSendable"] = "1000" }),
        WrongServer("limits-integers", "an exponent", .rawNumber("100000000", "1e+08")),
        WrongServer("limits-integers", "a fraction", .rawNumber("100000000", "100000000.0")),
        WrongServer("limits-positive", "0", .info { $0["minSendable"] = 0 }),
        WrongServer("limits-positive", "negative", .info { $0["minSendable"] = -1 }),
        WrongServer("limits-ordered", .info { $0["minSendable"] = 200_000_000 }),
        WrongServer("limits-exact", .with { $0.limits = 1000...(1 << 53) }),
        WrongServer("minimum-usual", "1", .with { $0.limits = 1...100_000_000 }),
        WrongServer("minimum-usual", "100 sat", .with { $0.limits = 100_000...100_000_000 }),
        WrongServer("comment-allowed", .info { $0["commentAllowed"] = "100" }),
        WrongServer("withdraw-link", .info { $0["withdrawLink"] = "nothing" }),
        WrongServer("info-known-members", .info { $0["currencies"] = [] }),
        WrongServer("info-unknown-parameter", .refusing { $0.isInfo && !$0.items.isEmpty }),
        WrongServer("zap-members", "no key", .info { $0["nostrPubkey"] = nil }),
        WrongServer(
            "zap-members", "capital letters", .info { $0["nostrPubkey"] = .string(String(repeating: "AB", count: 32)) }),
        WrongServer("zap-members", "a text", .info { $0["allowsNostr"] = "yes" }),
        WrongServer("zap-comments", .info { $0["commentAllowed"] = 0 }),
        WrongServer("payer-data-form", .info { $0.replacePayerData("email", true) }),
        WrongServer("payer-data-known", .info { $0.replacePayerData("phone", ["mandatory": true]) }),
        WrongServer("payer-data-challenge", .info { $0.replacePayerData("auth", ["mandatory": false, "k1": "00"]) }),
    ]

    static let metadata: [WrongServer] = [
        WrongServer("metadata-text", .info { $0["metadata"] = [["text/plain", "Pay Alice"]] }),
        WrongServer("metadata-array", "an object", .metadata { $0 = "{}" }),
        WrongServer("metadata-array", "a number in it", .metadata { $0 = $0.dropLast() + ",7]" }),
        WrongServer("metadata-plain-text", "none", .metadata { $0 = $0.replacing("text/plain", "text/other") }),
        WrongServer("metadata-plain-text", "two", .metadata { $0 = $0.dropLast() + #",["text/plain","2"]]"# }),
        WrongServer("metadata-plain-text", "a number", .metadata { $0 = $0.replacing(#""Pay Alice""#, "7") }),
        WrongServer("metadata-compact", .metadata { $0 = $0.replacing("],[", "], [") }),
        WrongServer(
            "metadata-image", "two",
            .metadata { $0 = $0.dropLast() + #",["image/png;base64","AAAA"],["image/jpeg;base64","AAAA"]]"# }),
        WrongServer("metadata-image", "no base64", .metadata { $0 = $0.dropLast() + #",["image/png;base64","?"]]"# }),
        WrongServer(
            "metadata-image", "too long",
            .metadata { $0 = $0.dropLast() + ",[\"image/png;base64\",\"\(String(repeating: "A", count: 136_540))\"]]" }),
        WrongServer("metadata-long-description", .metadata { $0 = $0.dropLast() + #",["text/long-desc",7]]"# }),
        WrongServer("identifier", "none", .metadata { $0 = $0.replacing("text/identifier", "text/other") }),
        WrongServer("identifier", "another", .metadata { $0 = $0.replacing("alice@", "5f1c0d9e@") }),
    ]

    static let names: [WrongServer] = [
        WrongServer("name-unknown", .skipping(.name)),
        WrongServer("name-upper-case", .refusing { $0.isInfo && $0.name == "ALICE" }),
        WrongServer("name-percent-encoded", .refusing { $0.isInfo && $0.name.contains("%") }),
        WrongServer("name-tag", .refusing { $0.isInfo && $0.name.contains("+") }),
        WrongServer(
            "metadata-tag",
            .info { body in
                body["metadata"] = body["metadata"]?.string.map { .string($0.replacing(#""doctor""#, #""other""#)) }
            }),
        WrongServer(
            "nostr-name-redirect",
            .nostr { answer in
                answer.status = 301
                answer.raw = []
            }),
        WrongServer("nostr-name-cross-origin", .nostr { $0.drop("Access-Control-Allow-Origin") }),
        WrongServer("nostr-name-key", "npub", .nostr { $0.body["names"] = ["alice": "npub1xyz"] }),
        WrongServer(
            "nostr-name-key", "capital letters",
            .nostr { $0.body["names"] = ["alice": .string(String(repeating: "AB", count: 32))] }),
        WrongServer(
            "nostr-name-asked", "another", .nostr { $0.body["names"] = ["bob": .string(key)] }),
        WrongServer(
            "nostr-name-relays", "texts",
            .nostr { $0.body["relays"] = .object([key: "wss://relay.example"]) }),
        WrongServer(
            "nostr-name-relays", "by name",
            .nostr { $0.body["relays"] = ["alice": ["wss://relay.example"]] }),
        WrongServer(
            "nostr-name-asked", "two",
            .nostr { $0.body["names"] = ["alice": .string(key), "bob": .string(key)] }),
        WrongServer("dns-name-one", "none left out of two", .dns { $0.records += ["Bitcoin:?sp=sp1x"] }),
        WrongServer("dns-name-alone", .dns { $0.records += ["v=spf1 -all"] }),
        WrongServer("dns-name-signed", .dns { $0.flags = 0 }),
        WrongServer("dns-name-offer", .dns { $0.records = ["bitcoin:?lno=lno1broken"] }),
        WrongServer("dns-name-payable", "an invoice", .dns { $0.records[0] += "&lightning=lnbc1x" }),
        WrongServer("dns-name-payable", "nothing", .dns { $0.records = ["bitcoin:?label=x"] }),
        WrongServer(
            "dns-name-lifetime",
            .dns { dns in
                dns.timeToLive = 86_400
                dns.records = ["bitcoin:?lno=" + ServedDNS.offer(expiresAt: ExaminedServer.now.adding(seconds: 3600))]
            }),
        WrongServer("dns-name-empty", .dns { $0.records = [] }),
    ]

    private static let key = String(repeating: "ab", count: 32)
}

extension ServedFault {
    fileprivate static func rawInfo(_ text: String) -> ServedFault {
        with { $0.after = { request, answer in if request.isInfo, !answer.isError { answer.raw = Array(text.utf8) } } }
    }

    fileprivate static func rawNumber(_ number: String, _ written: String) -> ServedFault {
        with { fault in
            fault.after = { request, answer in
                guard request.isInfo, !answer.isError else { return }
                answer.raw = Array(
                    JSONValue.object(answer.body).serialized().replacing(":" + number, with: ":" + written).utf8)
            }
        }
    }

    fileprivate static func nostr(_ change: @escaping @Sendable (inout ServedAnswer) -> Void) -> ServedFault {
        with { $0.after = { request, answer in if request.path == "/.well-known/nostr.json" { change(&answer) } } }
    }
}

extension JSONObject {
    fileprivate mutating func replaceCallback(_ old: String, _ new: String) {
        self["callback"] = self["callback"]?.string.map { .string($0.replacing(old, new)) }
    }

    fileprivate mutating func replacePayerData(_ key: String, _ value: JSONValue) {
        var data = self["payerData"]?.object ?? [:]
        data[key] = value
        self["payerData"] = .object(data)
    }
}

extension String {
    fileprivate func replacing(_ old: String, _ new: String) -> String { replacing(old, with: new) }
}
