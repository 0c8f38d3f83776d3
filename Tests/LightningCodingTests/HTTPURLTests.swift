import LightningCoding
import Testing

@Suite("HTTP URLs", .timeLimit(.minutes(5)))
struct HTTPURLTests {
    @Test("A URL is taken apart and kept as written, but for the case of scheme and host")
    func parts() throws {
        let url = try HTTPURL("HTTPS://Service.Example:8443/A%2fb/?q=3fc&x[]=%zz&y=1+2")
        #expect(url.scheme == .https)
        #expect(url.host == "service.example")
        #expect(url.port == 8443)
        #expect(url.path == "/A%2fb/")
        #expect(url.query == "q=3fc&x[]=%zz&y=1+2")
        #expect(url.authority == "service.example:8443")
        #expect(url.text == "https://service.example:8443/A%2fb/?q=3fc&x[]=%zz&y=1+2")
        #expect("\(url)" == url.text)
    }

    @Test(
        "Accepted forms",
        arguments: [
            ("https://a.b", "https://a.b/"), ("https://a.b/", "https://a.b/"), ("https://a.b?x=1", "https://a.b/?x=1"),
            ("https://a.b/?", "https://a.b/?"), ("http://localhost:1/", "http://localhost:1/"),
            ("https://xn--sxqv5g23dyr3a428a.com/v1", "https://xn--sxqv5g23dyr3a428a.com/v1"),
            ("https://1.1.1.1/v1", "https://1.1.1.1/v1"), ("http://[::1]:8080/a", "http://[::1]:8080/a"),
            ("https://[2001:DB8::A]/", "https://[2001:db8::a]/"), ("https://a_b.c-d.e/", "https://a_b.c-d.e/"),
            ("https://a.b:65535//x", "https://a.b:65535//x"), ("https://a.b/a@b:c", "https://a.b/a@b:c"),
            ("https://1.1.1.1.example/", "https://1.1.1.1.example/"), ("https://a/?b?c/d", "https://a/?b?c/d"),
        ])
    func accepted(text: String, written: String) throws {
        let url = try HTTPURL(text)
        #expect(url.text == written)
        #expect(try HTTPURL(url.text) == url)
    }

    @Test(
        "Refused forms",
        arguments: [
            ("", .unknownScheme), ("ftp://a.b/", .unknownScheme), ("https:/a.b/", .unknownScheme),
            ("//a.b/", .unknownScheme), (" https://a.b/", .unknownScheme), ("lnurlp://a.b/", .unknownScheme),
            ("https\u{1a}//a.b/", .unknownScheme), ("https:\\\\a.b/", .unknownScheme),
            ("https://user@a.b/", .userInfo), ("https://user:pass@a.b/", .userInfo), ("https://@a.b/", .userInfo),
            ("https://", .emptyHost), ("https:///x", .emptyHost), ("https://:80/", .emptyHost),
            ("https://a..b/", .invalidHost), ("https://.a/", .invalidHost), ("https://a.b./", .invalidHost),
            ("https://-a.b/", .invalidHost), ("https://a-.b/", .invalidHost), ("https://a b/", .invalidHost),
            ("https://a%2eb/", .invalidHost), ("https://a\\b/", .invalidHost), ("https://a.b\\@c.d", .userInfo),
            ("https://127.1/", .invalidHost), ("https://2130706433/", .invalidHost), ("https://0x7f.1/", .invalidHost),
            ("https://0x7f000001/", .invalidHost), ("https://a.0x/", .invalidHost),
            ("https://127.0.0.01/", .invalidHost),
            ("https://256.0.0.1/", .invalidHost), ("https://1.2.3.4.5/", .invalidHost), ("https://a.1/", .invalidHost),
            ("https://[::1/", .invalidHost), ("https://[]/", .invalidHost), ("https://[::g]/", .invalidHost),
            ("https://[::1\0.example]/", .invalidHost), ("https://127.0.0.1\0.example/", .invalidHost),
            ("https://[fe80::1%25eth0]/", .invalidHost), ("https://[1.2.3.4]/", .invalidHost),
            ("https://::1/", .emptyHost), ("https://测试.com/", .notASCII), ("https://a.b/é", .notASCII),
            ("https://a.b:/", .invalidPort), ("https://a.b:0/", .invalidPort), ("https://a.b:65536/", .invalidPort),
            ("https://a.b:080/", .invalidPort), ("https://a.b:+80/", .invalidPort), ("https://a.b:8:0/", .invalidPort),
            ("https://a.b:99999999999999999999/", .invalidPort), ("https://[::1]8080/", .invalidPort),
            ("https://a.b/#f", .fragment), ("https://a.b#f", .fragment), ("https://a.b/?x#", .fragment),
            ("https://a.b/x y", .invalidCharacter(at: 13)), ("https://a.b/\n", .invalidCharacter(at: 12)),
            ("https://a.b/?\"", .invalidCharacter(at: 13)), ("https://a.b/\\", .invalidCharacter(at: 12)),
            ("https://a.b/\u{7f}", .invalidCharacter(at: 12)), ("https://a.b/<", .invalidCharacter(at: 12)),
        ] as [(String, URLFault)])
    func refused(text: String, fault: URLFault) {
        #expect(throws: fault) { try HTTPURL(text) }
    }

    @Test("Lengths are bounded: 8192 characters, 253 of a host, 63 of a label")
    func lengths() throws {
        let rest = String(repeating: "x", count: HTTPURL.maximumLength - "https://a.b/".count)
        #expect(try HTTPURL("https://a.b/" + rest).path.count == rest.count + 1)
        #expect(throws: URLFault.tooLong) { try HTTPURL("https://a.b/" + rest + "x") }
        let label = String(repeating: "a", count: 63)
        #expect(try HTTPURL("https://\(label).b/").host.count == 65)
        #expect(throws: URLFault.invalidHost) { try HTTPURL("https://\(label)a.b/") }
        let host = "\(label).\(label).\(label).\(label.dropLast(2))"
        #expect(try HTTPURL("https://\(host)/").host.count == 253)
        #expect(throws: URLFault.invalidHost) { try HTTPURL("https://\(host)a/") }
    }

    @Test(
        "Loopback and onion hosts are known",
        arguments: [
            ("http://localhost/", true, false), ("http://LOCALHOST/", true, false), ("http://127.0.0.1/", true, false),
            ("http://127.255.0.3/", true, false), ("http://[::1]/", true, false), ("http://[0:0::0:1]/", true, false),
            ("http://128.0.0.1/", false, false), ("http://[::2]/", false, false), ("http://localhost.x/", false, false),
            ("http://127.0.0.1.example/", false, false), ("http://abc.onion/", false, true),
            ("http://abc.ONION:80/", false, true), ("http://onion/", false, false), ("http://a.onion.x/", false, false),
        ])
    func places(text: String, isLoopback: Bool, isOnion: Bool) throws {
        #expect(try HTTPURL(text).isLoopback == isLoopback)
        #expect(try HTTPURL(text).isOnion == isOnion)
    }

    @Test("Query items are appended after those that are there")
    func appendingQuery() throws {
        let items = [(name: "amount", value: "1000"), (name: "comment", value: "a b&c+é")]
        let written = "amount=1000&comment=a%20b%26c%2B%C3%A9"
        #expect(try HTTPURL("https://a.b/c").appendingQuery(items).text == "https://a.b/c?" + written)
        #expect(try HTTPURL("https://a.b/c?").appendingQuery(items).text == "https://a.b/c?" + written)
        #expect(try HTTPURL("https://a.b/c?x=%zz").appendingQuery(items).text == "https://a.b/c?x=%zz&" + written)
        #expect(try HTTPURL("https://a.b/c?").appendingQuery([]).text == "https://a.b/c?")
    }

    @Test("A path is appended with one slash between")
    func appendingPath() throws {
        #expect(try HTTPURL("https://a.b").appendingPath("c/d").text == "https://a.b/c/d")
        #expect(try HTTPURL("https://a.b/x/?q").appendingPath("/c").text == "https://a.b/x/c?q")
        #expect(try HTTPURL("https://a.b/x").appendingPath("a?b#c é%41").text == "https://a.b/x/a%3Fb%23c%20%C3%A9%41")
    }

    @Test("Query items are decoded in order, and kept as written where they cannot be")
    func queryItems() throws {
        let url = try HTTPURL("https://a.b/?a=1&b=x+y%20z&a=2&c&=d&&e=f=g&h=%zz+&i=%ff")
        #expect(url.queryItems.map(\.name) == ["a", "b", "a", "c", "", "e", "h", "i"])
        #expect(url.queryItems.map(\.value) == ["1", "x y z", "2", "", "d", "f=g", "%zz+", "%ff"])
        #expect(try HTTPURL("https://a.b/").queryItems.isEmpty)
    }
}
