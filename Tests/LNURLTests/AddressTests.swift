import LNURL
import LightningCoding
import Testing

@Suite("Lightning addresses (LUD-16)", .timeLimit(.minutes(5)))
struct AddressTests {
    @Test(
        "An address is asked at the well-known path of its domain",
        arguments: [
            ("satoshi@bitcoin.org", "https://bitcoin.org/.well-known/lnurlp/satoshi"),
            ("alice+rent@example.com", "https://example.com/.well-known/lnurlp/alice+rent"),
            ("a-b_c.9@example.com:8443", "https://example.com:8443/.well-known/lnurlp/a-b_c.9"),
            ("alice@xn--sxqv5g23dyr3a428a.com", "https://xn--sxqv5g23dyr3a428a.com/.well-known/lnurlp/alice"),
            ("npc@lnurlzap.com", "https://lnurlzap.com/.well-known/lnurlp/npc"),
        ]
    )
    func payURL(address: String, url: String) throws {
        #expect(try LightningAddress(address).payURL.text == url)
    }

    @Test(
        "Onion services and this machine are asked over http",
        arguments: [
            ("alice@juhaavcaxhxlp.onion", "http://juhaavcaxhxlp.onion/.well-known/lnurlp/alice"),
            ("alice@127.0.0.1:8080", "http://127.0.0.1:8080/.well-known/lnurlp/alice"),
            ("alice@localhost", "http://localhost/.well-known/lnurlp/alice"),
            ("alice@[::1]:8080", "http://[::1]:8080/.well-known/lnurlp/alice"),
            ("alice@10.0.0.1", "https://10.0.0.1/.well-known/lnurlp/alice"),
        ]
    )
    func implicitScheme(address: String, url: String) throws {
        #expect(try LightningAddress(address).payURL.text == url)
    }

    @Test("Upper case is folded, and the root's dot is let go")
    func folding() throws {
        let address = try LightningAddress("HELLO+Rent@LNBits.COM.")
        #expect(address.name == "hello")
        #expect(address.tag == "rent")
        #expect(address.domain == "lnbits.com")
        #expect(address.text == "hello+rent@lnbits.com")
        #expect(try address == LightningAddress("hello+rent@lnbits.com"))
    }

    @Test("The identifier of an address has no tag")
    func identifier() throws {
        #expect(try LightningAddress("alice+rent@example.com").identifier == "alice@example.com")
    }

    @Test("The address of an account stands at the service's host and port")
    func addressOfAService() throws {
        let service = try HTTPURL("http://127.0.0.1:8080")
        let address = LightningAddress(try LocalPart("alice+rent"), at: service)
        #expect(address.text == "alice+rent@127.0.0.1:8080")
        #expect(try address == LightningAddress("alice+rent@127.0.0.1:8080"))
    }

    @Test(
        "What is no address is refused by its rule",
        arguments: [
            ("", .missingAtSign),
            ("alice", .missingAtSign),
            ("donate@donate@legend.lnbits.com", .severalAtSigns),
            ("@x.com", .emptyName),
            ("+rent@x.com", .emptyName),
            ("a@", .invalidDomain(.emptyHost)),
            ("a@.", .invalidDomain(.invalidHost)),
            ("A b@x.com", .invalidCharacter(at: 1)),
            ("alicé@x.com", .invalidCharacter(at: 4)),
            ("alice!@x.com", .invalidCharacter(at: 5)),
            ("alice%2brent@x.com", .invalidCharacter(at: 5)),
            ("..@x.com", .dotSegment),
            (".@x.com", .dotSegment),
            ("alice+@x.com", .emptyTag),
            ("alice+a b@x.com", .invalidCharacter(at: 1)),
            ("alice@x.com/path", .invalidDomain(.invalidHost)),
            ("alice@x.com?q", .invalidDomain(.invalidHost)),
            ("alice@x.com#f", .invalidDomain(.invalidHost)),
            ("alice@x.com:0", .invalidDomain(.invalidPort)),
            ("alice@测试.com", .invalidDomain(.notASCII)),
        ] as [(String, AddressFault)]
    )
    func refused(text: String, fault: AddressFault) {
        #expect(throws: fault) { try LightningAddress(text) }
    }

    @Test("A name has at most 64 characters, and so has a tag")
    func lengths() throws {
        let longest = String(repeating: "a", count: 64)
        #expect(try LocalPart("\(longest)+\(longest)").text == "\(longest)+\(longest)")
        #expect(throws: AddressFault.nameTooLong) { try LocalPart(longest + "a") }
        #expect(throws: AddressFault.tagTooLong) { try LocalPart("a+\(longest)a") }
        #expect(throws: AddressFault.nameTooLong) { try AddressName(String(repeating: "a", count: 300)) }
    }

    @Test("The first + ends the name; the tag may hold further ones")
    func severalPlusSigns() throws {
        let part = try LocalPart("alice+a+b")
        #expect(part.name.text == "alice")
        #expect(part.tag == "a+b")
    }

    @Test("A name has no tag in it")
    func nameAlone() {
        #expect(throws: AddressFault.invalidCharacter(at: 5)) { try AddressName("alice+rent") }
    }

    @Test(
        "A path segment is percent-decoded once, and its + is never a space",
        arguments: [
            ("alice%2Brent", "alice+rent"), ("alice+rent", "alice+rent"), ("%41lice", "alice"), ("a%2eb", "a.b"),
        ]
    )
    func pathSegment(segment: String, text: String) throws {
        #expect(try LocalPart(pathSegment: segment).text == text)
    }

    @Test(
        "What a path segment may hide is refused",
        arguments: [
            ("%2e%2e", .dotSegment),
            ("alice%2Fbob", .invalidCharacter(at: 5)),
            ("alice%20", .invalidCharacter(at: 5)),
            ("alice%00", .invalidCharacter(at: 5)),
            ("%2541lice", .invalidCharacter(at: 0)),
            ("", .emptyName),
        ] as [(String, AddressFault)]
    )
    func hostileSegment(segment: String, fault: AddressFault) {
        #expect(throws: fault) { try LocalPart(pathSegment: segment) }
    }

    @Test(
        "A broken percent sign in a segment is a fault of encoding",
        arguments: ["alice%", "alice%4", "alice%zz", "%ff"])
    func brokenPercent(segment: String) {
        #expect {
            try LocalPart(pathSegment: segment)
        } throws: { error in
            guard case AddressFault.percentEncoding = error else { return false }
            return true
        }
    }
}
