import LNURL
import LightningCoding
import Testing

@Suite("What somebody pastes (LUD-01, LUD-16, LUD-17)", .timeLimit(.minutes(5)))
struct TargetTests {
    static let lnurl = "LNURL1DP68GURN8GHJ7UM9WFMXJCM99E5K7TELWY7NXENRXVMRGDTZXSENJCM98PJNWXQ96S9"
    static let url = "https://service.io/?q=3fc3645b439ce8e7"

    @Test(
        "bech32 is found by itself, behind lightning:, and inside another URI",
        arguments: [
            lnurl, lnurl.lowercased(), " \(lnurl)\n", "lightning:\(lnurl)", "LIGHTNING:\(lnurl)",
            "lightning://\(lnurl)",
            "https://service.com/giftcard/redeem?id=123&lightning=\(lnurl)",
            "https://service.com/?lightning=\(lnurl)#part", "HTTPS://SERVICE.COM/?LIGHTNING=\(lnurl)",
            "http://service.com/?lightning=\(lnurl)",
            "bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=1&lightning=\(lnurl.lowercased())",
        ]
    )
    func bech32(text: String) throws {
        #expect(try LNURLTarget(text) == .encoded(HTTPURL(Self.url)))
    }

    @Test(
        "A scheme of LUD-17 is read in any case, and the path keeps its own",
        arguments: [
            ("lnurlp://domain.com/Path?x=Y", .pay, "https://domain.com/Path?x=Y"),
            ("LNURLP://DOMAIN.COM/PATH", .pay, "https://domain.com/PATH"),
            ("lnurlw://domain.com/Path", .withdraw, "https://domain.com/Path"),
            ("LnurlC://domain.com/p", .channel, "https://domain.com/p"),
            ("keyauth://domain.com/p?tag=login", .auth, "https://domain.com/p?tag=login"),
            ("lightning:lnurlp://domain.com/p", .pay, "https://domain.com/p"),
            ("lnurlp://examplennnnnnnn.onion/path", .pay, "http://examplennnnnnnn.onion/path"),
            ("lnurlp://127.0.0.1:8080/lnurlp/alice", .pay, "http://127.0.0.1:8080/lnurlp/alice"),
        ] as [(String, LNURLScheme, String)]
    )
    func schemes(text: String, scheme: LNURLScheme, url: String) throws {
        let target = try LNURLTarget(text)
        #expect(try target == .scheme(scheme, HTTPURL(url)))
        #expect(target.purpose == scheme)
    }

    @Test(
        "An address is an address even when its domain contains lnurl",
        arguments: [
            ("alice@example.com", "alice@example.com"), ("₿alice@example.com", "alice@example.com"),
            ("lightning:alice@example.com", "alice@example.com"), (" Alice@Example.com ", "alice@example.com"),
            ("npc@lnurlzap.com", "npc@lnurlzap.com"), ("lnurl1abc@example.com", "lnurl1abc@example.com"),
            ("lnbc1@example.com", "lnbc1@example.com"), ("alice@lnurl1dp68.com", "alice@lnurl1dp68.com"),
        ]
    )
    func addresses(text: String, address: String) throws {
        let target = try LNURLTarget(text)
        #expect(try target == .address(LightningAddress(address)))
        #expect(target.purpose == .pay)
    }

    @Test(
        "A URL is taken as it is, whatever else is in it",
        arguments: [
            "https://example.com/lnurlp/alice", "https://example.com/@alice", "https://example.com/?lightning=yes",
            "https://example.com/?id=lnurl1", "http://example.onion/p", "http://127.0.0.1:8080/p", "http://[::1]/p",
            "http://localhost:8080/p",
        ]
    )
    func webURLs(text: String) throws {
        #expect(try LNURLTarget(text) == .web(HTTPURL(text)))
    }

    @Test(
        "A BOLT11 invoice is known by its beginning and handed on as text",
        arguments: ["lnbc1pvjluez", "LNBC2500U1PVJLUEZ", "lntb20m1p", "lntbs1p", "lnbcrt210n1p"]
    )
    func bolt11(text: String) throws {
        #expect(try LNURLTarget(text) == .bolt11(text))
        #expect(try LNURLTarget("lightning:\(text)") == .bolt11(text))
        #expect(try LNURLTarget("bitcoin:?lightning=\(text)") == .bolt11(text))
        #expect(try LNURLTarget(text).url == nil)
    }

    @Test(
        "What names nothing is refused by its rule",
        arguments: [
            ("", .empty), (" \n", .empty), ("lightning:", .empty),
            ("alice", .unrecognized), ("lnbc", .unrecognized), ("lnbcx1", .unrecognized), ("lnbc01", .unrecognized),
            ("lntbx1", .unrecognized), ("BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", .unrecognized),
            ("lnurlx://domain.com/p", .url(.unknownScheme)), ("ftp://domain.com/p", .url(.unknownScheme)),
            ("lnurlp:domain.com/p", .url(.unknownScheme)), ("lnurlp://", .url(.emptyHost)),
            ("lnurlp://alice@domain.com/p", .url(.userInfo)),
            ("http://example.com/p", .clearnetHTTP), ("http://onion.example.com/p", .clearnetHTTP),
            ("http://127.0.0.1.example.com/p", .clearnetHTTP), ("http://10.0.0.1/p", .clearnetHTTP),
            ("alice@", .address(.invalidDomain(.emptyHost))), ("₿@example.com", .address(.emptyName)),
            ("a@b@c", .address(.severalAtSigns)),
        ] as [(String, TargetFault)]
    )
    func refused(text: String, fault: TargetFault) {
        #expect(throws: fault) { try LNURLTarget(text) }
    }

    @Test("A broken LNURL in a lightning parameter is not passed over")
    func brokenFallback() {
        let broken = "https://service.com/?lightning=" + Self.lnurl.dropLast() + "Q"
        #expect {
            try LNURLTarget(broken)
        } throws: { error in
            guard case TargetFault.bech32(let fault) = error else { return false }
            return fault.kind == .badChecksum
        }
    }

    @Test(
        "A tag in the query tells what a URL is for",
        arguments: [
            ("https://site.com?tag=login&k1=00", .auth), ("https://site.com?tag=withdrawRequest", .withdraw),
            ("https://site.com?tag=other", nil), ("https://site.com", nil),
        ] as [(String, LNURLScheme?)]
    )
    func purpose(text: String, purpose: LNURLScheme?) throws {
        #expect(try LNURLTarget(text).purpose == purpose)
    }
}

@Suite("URLs in bech32 (LUD-01)", .timeLimit(.minutes(5)))
struct EncodedURLTests {
    @Test("Encoding and decoding are inverse, in either case")
    func roundTrip() throws {
        let url = try HTTPURL(TargetTests.url)
        #expect(EncodedURL.encode(url, upper: true) == TargetTests.lnurl)
        #expect(EncodedURL.encode(url) == TargetTests.lnurl.lowercased())
        #expect(try EncodedURL.decode(TargetTests.lnurl) == url)
    }

    @Test(
        "A text that is no LNURL is refused by its rule",
        arguments: [
            ("", .empty),
            ("abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw", .wrongPrefix("abcdef")),
            ("lnurl13myvsu", .url(.unknownScheme)),
            ("lnurl1d3h82unvjhypn2", .url(.unknownScheme)),
            (
                "lnurl1d3h82unvwqaz7tmpwp5juenfv96x5ctx9e3k7mf0wccj7mrww4exctmsv9usxr8j98",
                .url(.unknownScheme)
            ),
            ("lnurl1dp68gup69uhnzt339ccjuvf0wccj7mrww4exctmsv9usux0rql", .clearnetHTTP),
            ("lnurl1dahxjmmw8ghj7mrww4exctnxd9shg6npvchx7mnfdahquxueex", .url(.unknownScheme)),
            (
                "lnurl1dp68gurn8ghjle443052l909sxr7t8ulukgg6tnrdakj7a339akxuatjdshhqctea4v3jm",
                .url(.notASCII)
            ),
        ] as [(String, TargetFault)]
    )
    func refused(text: String, fault: TargetFault) {
        #expect(throws: fault) { try EncodedURL.decode(text) }
    }

    @Test(
        "Mixed case, a wrong checksum and bech32m's checksum are refused",
        arguments: [
            ("LNURL1DP68gurn8ghj7um9wfmxjcm99e5k7telwy7nxenrxvmrgdtzxsenjcm98pjnwxq96s9", .mixedCase),
            ("lnurl1dp68gurn8ghj7um9wfmxjcm99e5k7telwy7nxenrxvmrgdtzxsenjcm98pjnwxq96sq", .badChecksum),
            ("lnurl1dp68gurn8ghj7um9wfmxjcm99e5k7telwy7nxenrxvmrgdtzxsenjcm98pjnwnu4k48", .badChecksum),
            ("lnurl", .missingSeparator),
        ] as [(String, CodingFault.Kind)]
    )
    func brokenBech32(text: String, kind: CodingFault.Kind) {
        #expect {
            try EncodedURL.decode(text)
        } throws: { error in
            guard case TargetFault.bech32(let fault) = error else { return false }
            return fault.kind == kind
        }
    }

    @Test("What bech32 carries must be UTF-8")
    func notUTF8() {
        let text = Bech32.encode(
            .init(humanReadablePart: "lnurl", groups: Bech32.groups(fromBytes: [0x68, 0xff])),
            checksum: .bech32
        )
        #expect(throws: TargetFault.notUTF8) { try EncodedURL.decode(text) }
    }

    @Test("An onion service over https is unusual, not refused")
    func onionOverTLS() throws {
        let text = "lnurl1dp68gurn8ghj7er0d4skjm3wdahxjmmw9amrztmvde6hymp0wpshjcw5kvw"
        #expect(try EncodedURL.decode(text).text == "https://domain.onion/v1/lnurl/pay")
    }

    @Test("A URL has a form under a scheme only if the scheme implies the URL's own")
    func schemeForm() throws {
        #expect(try LNURLScheme.pay.text(for: HTTPURL("https://a.com/P?q")) == "lnurlp://a.com/P?q")
        #expect(try LNURLScheme.auth.text(for: HTTPURL("http://a.onion/p")) == "keyauth://a.onion/p")
        #expect(try LNURLScheme.pay.text(for: HTTPURL("http://127.0.0.1:8080/p")) == "lnurlp://127.0.0.1:8080/p")
        #expect(try LNURLScheme.pay.text(for: HTTPURL("http://a.com/p")) == nil)
        #expect(try LNURLScheme.pay.text(for: HTTPURL("https://a.onion/p")) == nil)
    }
}
