import Testing

@testable import LightningCoding

@Suite("Listen addresses", .timeLimit(.minutes(5)))
struct ListenAddressTests {
    @Test(
        "Names, IPv4 and IPv6 are read, with a port",
        arguments: [
            ("127.0.0.1:8080", "127.0.0.1", 8080, true), ("[::1]:80", "::1", 80, true),
            ("localhost:0", "localhost", 0, true),
            ("0.0.0.0:65535", "0.0.0.0", 65535, false), ("[::]:1", "::", 1, false),
            ("Example.com:9", "example.com", 9, false),
        ] as [(String, String, UInt16, Bool)]
    )
    func reads(text: String, host: String, port: UInt16, isLoopback: Bool) throws {
        let address = try ListenAddress(text)
        #expect(address == ListenAddress(host: host, port: port))
        #expect(address.isLoopback == isLoopback)
        #expect(address.description == text.lowercased())
    }

    @Test(
        "Without a port in digits there is no address",
        arguments: [
            "127.0.0.1", "a:", "a:x", "a:65536", "a:99999", "a:+1", "a:-1", "a:000001", "a:080", "a:00", "a: 80",
            "a:80 ", "[::1]", "[::1]:", "",
            "/run/responder.sock", "unix:/run/responder.sock",
        ])
    func port(text: String) {
        #expect(throws: URLFault.invalidPort) { try ListenAddress(text) }
    }

    @Test(
        "A host that is none is refused",
        arguments: [
            ":80", "a b:80", "1.2.3:80", "[::1:80", "a/b:80", "a:1:2", "a:01:2", "a::2", "127.0.0.1:80:80",
            "[::1]:80:90",
            "::1:80", "::1", "[::1]x:80", "[a]:80", "a@b:80", "a?b:80", "unix:/run/responder.sock:80",
        ])
    func host(text: String) {
        #expect(throws: URLFault.self) { try ListenAddress(text) }
    }
}
