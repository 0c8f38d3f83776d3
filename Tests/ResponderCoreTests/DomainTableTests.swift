import LNURL
import LightningCrypto
import ResponderModel
import Testing
@testable import ResponderCore

@Suite("Which domain a host means", .timeLimit(.minutes(5)))
struct DomainTableTests {
    private static func domain(
        _ url: String, aliases: [String] = [], isMain: Bool = false
    ) throws -> Domain {
        var settings = DomainSettings()
        settings.aliases = try aliases.map { try DomainName($0) }
        return Domain(publicURL: try PublicURL(url), settings: settings, isMain: isMain)
    }

    private static func table() throws -> DomainTable {
        DomainTable([
            try domain("https://example.com", aliases: ["www.example.com"], isMain: true),
            try domain("https://example.org:8443"), try domain("https://*.example.net"),
            try domain("https://bob.example.net"),
        ])
    }

    @Test(
        "Upper case, a final dot and the default port make no difference",
        arguments: [
            ("example.com", "example.com"), ("EXAMPLE.com", "example.com"), ("example.com.", "example.com"),
            ("example.com:443", "example.com"), ("example.com:80", "example.com"),
            ("Example.com.:443", "example.com"), ("example.org:8443", "example.org:8443"),
        ])
    func usualForm(host: String, name: String) throws {
        #expect(try Self.table().reached(at: host)?.domain.name.text == name)
    }

    @Test(
        "Another host means none, also one below a name, and one with another port",
        arguments: [
            "example", "a.example.com", "example.com.evil.example", "example.com:8080", "example.org", "com",
            "*.example.net",
            "example.net", "a.b.example.net", "user@example.com", "example.com/", "exa mple.com", "..", ".", ":443",
            "127.0.0.1", "localhost:8080",
        ])
    func unknown(host: String) throws {
        #expect(try Self.table().reached(at: host)?.domain == nil)
    }

    @Test("Without a host there is no domain when there are several")
    func missing() throws {
        #expect(try Self.table().reached(at: nil)?.domain == nil)
        #expect(try Self.table().reached(at: "")?.domain == nil)
    }

    @Test(
        "While there is only the main domain, the local machine, an address and no host mean it, and no other name",
        arguments: [
            (nil, true), ("127.0.0.1:8080", true), ("[::1]:8080", true), ("localhost", true), ("10.0.0.5", true),
            ("backend", false), ("example.org", false), ("localhost.example", false),
        ] as [(String?, Bool)])
    func alone(host: String?, isMeant: Bool) throws {
        let table = DomainTable([try Self.domain("https://example.com", isMain: true)])
        #expect((table.reached(at: host)?.domain != nil) == isMeant)
    }

    @Test("An empty table has no hosts", arguments: [nil, "example.com", "127.0.0.1", "localhost"])
    func empty(host: String?) {
        #expect(DomainTable([]).reached(at: host)?.domain == nil)
    }

    @Test("An alias means its domain, and a name goes before an alias")
    func alias() throws {
        #expect(try Self.table().reached(at: "www.example.com")?.domain.name.text == "example.com")
        let table = DomainTable([
            try Self.domain("https://example.com", aliases: ["example.org"], isMain: true),
            try Self.domain("https://example.org"),
        ])
        #expect(table.reached(at: "example.org")?.domain.name.text == "example.org")
    }

    @Test(
        "At a host below a wildcard its first label is the account, which is named _ there; an exact name goes before it"
    )
    func wildcard() throws {
        let table = try Self.table()
        let alice = try #require(table.reached(at: "Alice.example.net"))
        let recipient = try #require(alice.recipient(.name(try LocalPart("_+tip"))))
        #expect(try recipient == .name(LocalPart("alice+tip"), at: DomainName("*.example.net")))
        #expect(alice.recipient(.name(try LocalPart("alice"))) == nil)
        #expect(alice.domain.address(of: try AddressName("alice")).text == "_@alice.example.net")
        let key = try SecretKey([UInt8](repeating: 1, count: 32)).publicKey
        #expect(try alice.recipient(.key(key)) == .key(RegistrationID(key, at: DomainName("*.example.net"))))
        let bob = try #require(table.reached(at: "bob.example.net"))
        #expect(bob.recipient(.name(try LocalPart("carol")))?.account?.text == "carol@bob.example.net")
    }
}
