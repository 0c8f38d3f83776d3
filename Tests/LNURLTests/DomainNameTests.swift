import LightningCoding
import Testing

@testable import LNURL

@Suite("Names of domains", .timeLimit(.minutes(5)))
struct DomainNameTests {
    @Test(
        "Case, the root's dot and the default port make no difference",
        arguments: [
            ("Example.COM", "example.com"), ("example.com.", "example.com"), ("example.com:443", "example.com"),
            ("example.com.:8443", "example.com:8443"), ("127.0.0.1:80", "127.0.0.1"),
            ("127.0.0.1:443", "127.0.0.1:443"), ("[::1]:8080", "[::1]:8080"), ("*.Example.com", "*.example.com"),
            ("localhost", "localhost"), ("xn--bcher-kva.example", "xn--bcher-kva.example"),
        ])
    func usualForm(text: String, name: String) throws {
        #expect(try DomainName(text).text == name)
    }

    @Test(
        "What is no host, and a wildcard that is not the whole first label, is refused",
        arguments: [
            "", ".", "*", "*.", "*.*.example.com", "a.*.example.com", "a*.example.com", "*.127.0.0.1", "*.[::1]",
            "*.\u{301}example.com",
            "example.com/", "example.com?", "exa mple.com", "bücher.example", "example.com:0", "example.com:65536",
            "a@b.example",
            "example..com",
        ])
    func refused(text: String) {
        #expect(throws: URLFault.self) { try DomainName(text) }
    }

    @Test("Names are ordered by bytes")
    func order() throws {
        let names = try ["*.example.com", "a.example", "b.example"].map { try DomainName($0) }
        #expect(names.reversed().sorted() == names)
    }

    @Test("The host of a URL with its default port names the same domain as without", arguments: ["https", "http"])
    func defaultPort(scheme: String) throws {
        let port = scheme == "https" ? 443 : 80
        #expect(
            DomainName(of: try HTTPURL("\(scheme)://example.com:\(port)/pay"))
                == DomainName(of: try HTTPURL("\(scheme)://example.com")))
        #expect(DomainName(of: try HTTPURL("\(scheme)://example.com:8443")).text == "example.com:8443")
    }

    @Test("Of a wildcard domain, the URLs of each account begin with a host of its own")
    func wildcard() throws {
        let url = try PublicURL("https://*.example.com:8443/pay")
        #expect(url.domain.text == "*.example.com:8443")
        #expect(url.domain.isWildcard)
        #expect(url.text == "https://*.example.com:8443/pay")
        #expect(url.base(of: "alice").text == "https://alice.example.com:8443/pay")
        let plain = try PublicURL("https://example.com/")
        #expect(plain.text == "https://example.com")
        #expect(plain.base(of: "alice").text == "https://example.com/")
    }

    @Test(
        "A URL with a query, or with a wildcard that is not its first label, is refused",
        arguments: [
            "https://example.com/?a=b", "https://*.example.com/?a", "https://a.*.example.com", "https://*example.com",
            "ftp://*.example.com", "https://*.127.0.0.1", "https://example.com/*.a",
        ])
    func refusedURL(text: String) {
        #expect(throws: URLFault.self) { try PublicURL(text) }
    }
}
