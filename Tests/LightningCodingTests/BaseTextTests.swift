import LightningCoding
import Testing

@Suite("z-base-32", .timeLimit(.minutes(5)))
struct ZBase32Tests {
    // From Python: base64.b32encode with the alphabet exchanged.
    static let pairs: [(String, String)] = [
        ("", ""), ("00", "yy"), ("ff", "9h"), ("f0bf", "6n9o"), ("d47a04", "4t7ye"), ("f5574f", "6imw6"),
        ("0102030405", "yrbygbyf"), ("10111213ff", "nyetrr99"), ("ffffffffffff", "999999999h"),
    ]

    @Test("Bytes are written and read", arguments: pairs)
    func pair(hexadecimal: String, text: String) throws {
        let bytes = try Hexadecimal.decode(hexadecimal)
        #expect(ZBase32.encode(bytes) == text)
        #expect(try ZBase32.decode(text) == bytes)
    }

    @Test(
        "Other characters, upper case and padding that is not zero are refused",
        arguments: [
            ("yyl", CodingFault(.invalidCharacter, at: 2)), ("Yy", CodingFault(.invalidCharacter, at: 0)),
            ("yv", CodingFault(.invalidCharacter, at: 1)), ("y2", CodingFault(.invalidCharacter, at: 1)),
            ("0y", CodingFault(.invalidCharacter, at: 0)), ("yy=", CodingFault(.invalidCharacter, at: 2)),
            ("y", CodingFault(.badPadding, at: 0)), ("yb", CodingFault(.badPadding, at: 1)),
            ("yyy", CodingFault(.badPadding, at: 2)),
        ])
    func refused(text: String, fault: CodingFault) {
        #expect(throws: fault) { try ZBase32.decode(text) }
    }
}

@Suite("Base 64", .timeLimit(.minutes(5)))
struct Base64Tests {
    @Test(
        "Texts of RFC 4648, section 10, are written and read",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func published(plain: String, text: String) throws {
        #expect(Base64.encode(plain.utf8) == text)
        #expect(try Base64.decode(text) == Array(plain.utf8))
    }

    @Test("The last two characters of the alphabet are + and /")
    func alphabet() throws {
        #expect(Base64.encode([0xfb, 0xff, 0xbf]) == "+/+/")
        #expect(try Base64.decode("+/+/") == [0xfb, 0xff, 0xbf])
    }

    @Test(
        "Missing or wrong padding, spare bits and other characters are refused",
        arguments: [
            ("Zg", CodingFault(.truncated, at: 2)), ("Zg=", CodingFault(.truncated, at: 3)),
            ("Zm9vY", CodingFault(.truncated, at: 5)), ("Zh==", CodingFault(.badPadding, at: 1)),
            ("Zm9=", CodingFault(.badPadding, at: 2)), ("Z===", CodingFault(.invalidCharacter, at: 1)),
            ("====", CodingFault(.invalidCharacter, at: 0)), ("Zg==Zg==", CodingFault(.invalidCharacter, at: 2)),
            ("Zm=v", CodingFault(.invalidCharacter, at: 2)), ("-_-_", CodingFault(.invalidCharacter, at: 0)),
            ("Zm9\n", CodingFault(.invalidCharacter, at: 3)),
        ])
    func refused(text: String, fault: CodingFault) {
        #expect(throws: fault) { try Base64.decode(text) }
    }
}

@Suite("Percent-encoding", .timeLimit(.minutes(5)))
struct PercentEncodingTests {
    @Test("Unreserved characters stay, all other bytes are escaped")
    func encoding() {
        #expect(PercentEncoding.encode("aZ09-._~") == "aZ09-._~")
        #expect(PercentEncoding.encode("a b+c/d?e&f=%é😀") == "a%20b%2Bc%2Fd%3Fe%26f%3D%25%C3%A9%F0%9F%98%80")
        #expect(PercentEncoding.encode("\0") == "%00")
    }

    @Test("Escapes of either case are decoded; + is a space only in a form")
    func decoding() throws {
        #expect(try PercentEncoding.decode("%c3%A9%20+", plusIsSpace: false) == "é +")
        #expect(try PercentEncoding.decode("%2B+a", plusIsSpace: true) == "+ a")
        #expect(try PercentEncoding.decode("", plusIsSpace: true) == "")
        #expect(try PercentEncoding.decode("é", plusIsSpace: true) == "é")
    }

    @Test(
        "Half an escape and what is not UTF-8 are refused",
        arguments: [
            ("%", CodingFault(.truncated, at: 0)), ("ab%4", CodingFault(.truncated, at: 2)),
            ("a%4g", CodingFault(.invalidCharacter, at: 1)), ("%%41", CodingFault(.invalidCharacter, at: 0)),
            ("%+1", CodingFault(.invalidCharacter, at: 0)), ("a%ff", CodingFault(.invalidUTF8, at: 1)),
            ("%c3", CodingFault(.invalidUTF8, at: 0)), ("%c0%80", CodingFault(.invalidUTF8, at: 0)),
            ("ab%ed%a0%80", CodingFault(.invalidUTF8, at: 2)),
        ])
    func refused(text: String, fault: CodingFault) {
        #expect(throws: fault) { try PercentEncoding.decode(text, plusIsSpace: false) }
    }
}

@Suite("Base 64 that is safe in URLs", .timeLimit(.minutes(5)))
struct Base64URLTests {
    @Test("Bytes and text of any length convert both ways, without padding")
    func conversions() throws {
        for (bytes, text) in [
            ([], ""), ([0xFB], "-w"), ([0xFF, 0xEF], "_-8"), ([0xFB, 0xFF, 0xBF], "-_-_"),
            ([0, 0x10, 0x83, 0x10], "ABCDEA"),
        ] as [([UInt8], String)] {
            #expect(Base64URL.encode(bytes) == text)
            #expect(try Base64URL.decode(text) == bytes)
        }
    }

    @Test("Padding, the other alphabet, half a byte and set unused bits are refused")
    func refused() {
        for (text, fault) in [
            ("-w==", CodingFault(.invalidCharacter, at: 2)), ("+w", CodingFault(.invalidCharacter, at: 0)),
            ("_/8", CodingFault(.invalidCharacter, at: 1)), ("-_-_A", CodingFault(.truncated, at: 5)),
            ("-x", CodingFault(.badPadding, at: 1)), ("-w\n", CodingFault(.invalidCharacter, at: 2)),
        ] {
            #expect(throws: fault) { try Base64URL.decode(text) }
        }
    }
}
