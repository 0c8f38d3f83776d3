import LightningCoding
import OutboundHTTP
import ResponderCore
import Testing

@Suite("Allowed reply URLs", .timeLimit(.minutes(5)))
struct ReplyPolicyTests {
    private static let onion = "juhaavcaxhxlp77nkq76byazcldy2hlmovfu2epvl5ankdibsot4csyd.onion"

    private func fault(_ url: String, _ policy: ReplyPolicy = ReplyPolicy()) -> ReplyURLFault? {
        do throws(ReplyURLFault) {
            _ = try policy.url(url)
            return nil
        } catch {
            return error
        }
    }

    private func listed(_ hosts: String..., proxy: Proxy = .none, ports: Set<UInt16> = []) throws -> ReplyPolicy {
        ReplyPolicy(
            allowedHosts: try hosts.map { try #require(HostSuffix($0)) }, allowedPorts: ports, proxy: proxy)
    }

    @Test(
        "By default any public host over https on port 443 is allowed",
        arguments: [
            "https://pay.example/response/1", "https://pay.example:443/", "https://8.8.8.8/",
            "https://[2606:4700::1111]/",
            "https://PAY.example/response/18446744073709551615?a=b",
        ])
    func allowed(url: String) {
        #expect(fault(url) == nil)
    }

    @Test(
        "Nothing else is allowed",
        arguments: [
            ("http://pay.example/", ReplyURLFault.clearnetHTTP), ("https://pay.example:8443/", .port(8443)),
            ("https://pay.example:80/", .port(80)), ("https://pay.example:0/", .url(.invalidPort)),
            ("https://user@pay.example/", .url(.userInfo)),
            ("https://user:secret@pay.example/", .url(.userInfo)), ("https://pay.example@127.0.0.1/", .url(.userInfo)),
            ("ftp://pay.example/", .url(.unknownScheme)), ("file:///etc/passwd", .url(.unknownScheme)),
            ("gopher://127.0.0.1:6379/_x", .url(.unknownScheme)), ("//pay.example/", .url(.unknownScheme)),
            ("", .url(.unknownScheme)), ("https://", .url(.emptyHost)), ("https:///x", .url(.emptyHost)),
            ("https://pay.example#@8.8.8.8/", .url(.fragment)), ("https://pay.example\\@127.0.0.1/", .url(.userInfo)),
            ("https://pay.example /", .url(.invalidHost)), ("https://p\u{430}y.example/", .url(.notASCII)),
            ("https://pay.example/\r\nX-A: b", .url(.invalidCharacter(at: 20))),
            // Other spellings of an address are not valid hosts.
            ("https://2130706433/", .url(.invalidHost)), ("https://0x7f000001/", .url(.invalidHost)),
            ("https://0177.0.0.1/", .url(.invalidHost)), ("https://127.1/", .url(.invalidHost)),
            ("https://%31%32%37.0.0.1/", .url(.invalidHost)), ("https://[fe80::1%25eth0]/", .url(.invalidHost)),
            ("https://127.0.0.1./", .url(.invalidHost)),
        ])
    func refused(url: String, expected: ReplyURLFault) {
        #expect(fault(url) == expected)
    }

    static let literals: [(String, AddressClass)] = [
        ("127.0.0.1", .loopback), ("127.255.255.254", .loopback), ("[::1]", .loopback), ("localhost", .loopback),
        ("a.localhost", .loopback), ("0.0.0.0", .unspecified), ("[::]", .unspecified), ("10.0.0.1", .privateUse),
        ("172.16.0.1", .privateUse), ("192.168.1.1", .privateUse), ("[fd00::1]", .privateUse),
        ("169.254.169.254", .linkLocal), ("[fe80::1]", .linkLocal), ("100.64.0.1", .carrierGradeNAT),
        ("100.100.100.200", .carrierGradeNAT), ("224.0.0.1", .multicast), ("[ff02::1]", .multicast),
        ("168.63.129.16", .metadataService), ("[fd00:ec2::254]", .privateUse), ("192.0.0.192", .reserved),
        ("192.0.2.1", .reserved), ("198.51.100.1", .reserved), ("203.0.113.1", .reserved), ("198.18.0.1", .reserved),
        ("255.255.255.255", .reserved), ("[2001:db8::1]", .reserved), ("[::ffff:127.0.0.1]", .translated),
        ("[::ffff:8.8.8.8]", .translated), ("[::127.0.0.1]", .translated), ("[64:ff9b::7f00:1]", .translated),
        ("[2002:7f00:1::]", .translated), ("[2001:0:4136:e378:8000:63bf:3fff:fdd2]", .translated),
    ]

    @Test("Only public addresses are allowed, listed or not", arguments: literals)
    func addresses(host: String, expected: AddressClass) throws {
        #expect(fault("https://\(host)/") == .address(expected))
        #expect(fault("http://\(host):8080/") == .address(expected))
        let bare = host.filter { $0 != "[" && $0 != "]" }
        #expect(fault("https://\(host)/", try listed(bare)) == .address(expected))
        var development = ReplyPolicy(allowsLoopback: true)
        #expect((fault("http://\(host):8080/", development) == nil) == (expected == .loopback && host != "a.localhost"))
        // Behind a proxy, loopback is the proxy's machine.
        development.proxy = .tor
        #expect(fault("http://\(host):8080/", development) == .address(expected))
    }

    @Test("If there is a list, only its hosts are allowed, matched by whole labels")
    func hosts() throws {
        let policy = try listed("pay.example", "8.8.8.8")
        #expect(fault("https://pay.example/", policy) == nil)
        #expect(fault("https://eu.pay.example/", policy) == nil)
        #expect(fault("https://8.8.8.8/", policy) == nil)
        for url in [
            "https://badpay.example/", "https://pay.example.evil/", "https://example/", "https://1.8.8.8.8.evil/",
            "https://8.8.4.4/",
        ] {
            #expect(fault(url, policy) == .hostNotListed, "\(url)")
        }
        #expect(fault("http://pay.example/", policy) == .clearnetHTTP)
        #expect(fault("https://pay.example/", try listed()) == .hostNotListed)
    }

    @Test("Other ports need permission")
    func ports() throws {
        let policy = ReplyPolicy(allowedPorts: [8443])
        #expect(fault("https://pay.example:8443/", policy) == nil)
        #expect(fault("https://pay.example:8444/", policy) == .port(8444))
        #expect(fault("http://pay.example:8443/", policy) == .clearnetHTTP)
    }

    @Test("Through a proxy only listed hosts are allowed")
    func proxy() throws {
        #expect(fault("https://pay.example/", ReplyPolicy(proxy: .tor)) == .hostNotListedBehindProxy)
        #expect(fault("https://8.8.8.8/", ReplyPolicy(proxy: .tor)) == .hostNotListedBehindProxy)
        let policy = try listed("pay.example", proxy: .tor)
        #expect(fault("https://pay.example/", policy) == nil)
        #expect(fault("https://other.example/", policy) == .hostNotListed)
    }

    @Test("A Tor service must be listed and needs a SOCKS proxy; plain http is allowed there")
    func onion() throws {
        let url = "http://\(Self.onion)/response/1"
        #expect(fault(url) == .onionNotListed)
        #expect(fault(url, ReplyPolicy(proxy: .tor)) == .onionNotListed)
        #expect(fault(url, try listed("pay.example", proxy: .tor)) == .onionNotListed)
        #expect(fault(url, try listed(Self.onion)) == .onionWithoutProxy)
        #expect(fault(url, try listed(Self.onion, proxy: .http(host: "127.0.0.1", port: 1))) == .onionWithoutProxy)
        let policy = try listed(Self.onion, proxy: .tor)
        #expect(fault(url, policy) == nil)
        #expect(fault("https://\(Self.onion)/", policy) == nil)
        #expect(fault("http://\(Self.onion):8080/", policy) == .port(8080))
    }
}
