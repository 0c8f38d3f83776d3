import LNURL
import LightningCoding
import LightningCrypto
import Testing

@Suite("What a wallet does once it has paid (LUD-09)", .timeLimit(.minutes(5)))
struct SuccessActionTests {
    private func read(_ text: String) throws -> SuccessAction {
        try SuccessAction(json: JSONValue(parsing: text))
    }

    @Test("Each action has its body, and is read again")
    func bodies() throws {
        let message = SuccessAction.message(try ActionText("Thanks \"you\""))
        #expect(message.json.serialized() == #"{"tag":"message","message":"Thanks \"you\""}"#)
        let link = SuccessAction.url(
            try ActionLink(description: ActionText("Order"), text: "https://example.com/o?id=1#top")
        )
        #expect(
            link.json.serialized()
                == #"{"tag":"url","description":"Order","url":"https://example.com/o?id=1#top"}"#
        )
        let secret = SuccessAction.aes(
            try EncryptedAction(
                description: ActionText("Code"),
                ciphertext: Array(repeating: 0, count: 16),
                initializationVector: Array(0..<16)
            )
        )
        #expect(
            secret.json.serialized()
                == #"{"tag":"aes","description":"Code","ciphertext":"AAAAAAAAAAAAAAAAAAAAAA==","#
                + #""iv":"AAECAwQFBgcICQoLDA0ODw=="}"#
        )
        for action in [message, link, secret] { #expect(try SuccessAction(json: action.json) == action) }
    }

    @Test("A text has at most 144 characters")
    func textLength() throws {
        for character in ["a", "⚡", "👍🏽"] {
            let longest = String(repeating: character, count: 144)
            #expect(try ActionText(longest).text == longest)
            #expect(throws: SuccessActionFault.textTooLong) { try ActionText(longest + character) }
        }
    }

    @Test("A link leads to the callback's host; ports do not matter")
    func host() throws {
        let link = SuccessAction.url(try ActionLink(description: ActionText(""), text: "https://Example.com:444/o"))
        #expect(throws: Never.self) { try link.requireHost(of: HTTPURL("https://example.com/c")) }
        for callback in ["https://www.example.com/c", "https://example.com.evil.com/c", "https://evil.com/example.com"]
        {
            #expect(throws: SuccessActionFault.otherHost) { try link.requireHost(of: HTTPURL(callback)) }
        }
        let message = SuccessAction.message(try ActionText("https://evil.com"))
        #expect(throws: Never.self) { try message.requireHost(of: HTTPURL("https://example.com/c")) }
    }

    @Test(
        "An action that breaks a rule is refused",
        arguments: [
            ("[]", .notAnObject),
            ("{}", .missing(.tag)),
            (#"{"tag":null}"#, .missing(.tag)),
            (#"{"tag":7}"#, .malformed(.tag)),
            (#"{"tag":"Message","message":"x"}"#, .unknownTag("Message")),
            (#"{"tag":"noop"}"#, .unknownTag("noop")),
            (#"{"tag":"message"}"#, .missing(.message)),
            (#"{"tag":"message","message":1}"#, .malformed(.message)),
            (#"{"tag":"message","message":"\#(String(repeating: "a", count: 145))"}"#, .textTooLong),
            (#"{"tag":"url","url":"https://a.com/"}"#, .missing(.description)),
            (#"{"tag":"url","description":""}"#, .missing(.url)),
            (#"{"tag":"url","description":"","url":"a.com"}"#, .url(.unknownScheme)),
            (#"{"tag":"url","description":"","url":"javascript:alert(1)"}"#, .url(.unknownScheme)),
            (#"{"tag":"url","description":"","url":"http://a.com/"}"#, .clearnetHTTP),
            (#"{"tag":"aes","ciphertext":"","iv":""}"#, .initializationVector),
        ] as [(String, SuccessActionFault)]
    )
    func refused(text: String, fault: SuccessActionFault) {
        #expect(throws: fault) { try read(text) }
    }

    private static func aes(ciphertext: String, iv: String) -> String {
        #"{"tag":"aes","description":"","ciphertext":"\#(ciphertext)","iv":"\#(iv)"}"#
    }

    private static let iv = "AAECAwQFBgcICQoLDA0ODw=="

    @Test(
        "An encrypted text that breaks a rule is refused",
        arguments: [
            (aes(ciphertext: "qEKI4TOS5+n33nsm28HHWA==", iv: String(iv.dropLast())), .initializationVector),
            (aes(ciphertext: "qEKI4TOS5+n33nsm28HHWA==", iv: iv + "="), .initializationVector),
            (aes(ciphertext: "qEKI4TOS5+n33nsm28HHWA==", iv: "AAECAwQFBgcICQoLDA0ODxAR"), .initializationVector),
            (
                aes(ciphertext: "qEKI4TOS5+n33nsm28HHWA==", iv: "AAECAwQFBgcICQoLDA0OD_=="),
                .malformed(.initializationVector)
            ),
            (aes(ciphertext: "qEKI4TOS5-n33nsm28HHWA==", iv: iv), .malformed(.ciphertext)),
            (aes(ciphertext: "qEKI4TOS5+n33nsm28HHWA", iv: iv), .malformed(.ciphertext)),
            (aes(ciphertext: "qEKI4TOS5+n33nsm28HH", iv: iv), .ciphertextNotWholeBlocks),
            (aes(ciphertext: "", iv: iv), .ciphertextNotWholeBlocks),
            (aes(ciphertext: String(repeating: "A", count: 4097), iv: iv), .ciphertextTooLong),
        ] as [(String, SuccessActionFault)]
    )
    func refusedSecret(text: String, fault: SuccessActionFault) {
        #expect(throws: fault) { try read(text) }
    }
}

@Suite("Texts that the preimage opens (LUD-10)", .timeLimit(.minutes(5)))
struct EncryptedActionTests {
    private let preimage: Preimage
    private let initializationVector = [UInt8](0..<16)
    private let description: ActionText

    init() throws {
        preimage = try Preimage([UInt8](0..<32))
        description = try ActionText("Code")
    }

    private func seal(_ secret: String) throws(SuccessActionFault) -> EncryptedAction {
        try EncryptedAction.seal(
            secret,
            description: description,
            preimage: preimage,
            initializationVector: initializationVector
        )
    }

    @Test(
        "AES-256-CBC with the preimage as key; padding counts bytes",
        arguments: [
            ("Secret data", "qEKI4TOS5+n33nsm28HHWA=="),
            ("", "6cPvirI0U+bwdJzWNueojg=="),
            ("0123456789abcdef", "4j/AuRx71kQlxVlzbpsMWEhewdanHmFZMjJdZQbsNwA="),
            ("lightning icons: ⚡⚡", "7JzYvAM2x0liBJMefuCCVp0hWgrjP4hO9RWLySck6eY="),
        ]
    )
    func sealAndOpen(secret: String, ciphertext: String) throws {
        let action = try seal(secret)
        #expect(Base64.encode(action.ciphertext) == ciphertext)
        #expect(try action.open(with: preimage) == secret)
    }

    @Test("The longest text fills 4096 characters of base64; one byte more does not fit")
    func longest() throws {
        let action = try seal(String(repeating: "a", count: 3071))
        #expect(Base64.encode(action.ciphertext).count == 4096)
        #expect(try SuccessAction(json: SuccessAction.aes(action).json) == .aes(action))
        #expect(throws: SuccessActionFault.ciphertextTooLong) { try seal(String(repeating: "a", count: 3072)) }
    }

    @Test("A wrong preimage is a fault, never a crash")
    func wrongPreimage() throws {
        let action = try seal("Secret data")
        var faults: Set<SuccessActionFault> = []
        for byte in UInt8.min...UInt8.max {
            let wrong = try Preimage([byte] + Array(repeating: 0xAA, count: 31))
            do {
                let secret = try action.open(with: wrong)
                #expect(secret != "Secret data")
            } catch {
                faults.insert(error)
            }
        }
        #expect(faults.contains(.wrongPreimage))
        #expect(faults.isSubset(of: [.wrongPreimage, .notUTF8]))
    }

    @Test("What opens but is no UTF-8 is refused")
    func notUTF8() throws {
        let action = try EncryptedAction(
            description: description,
            ciphertext: AES256CBC.encrypt([0xff, 0xfe], key: preimage.secret, iv: initializationVector),
            initializationVector: initializationVector
        )
        #expect(throws: SuccessActionFault.notUTF8) { try action.open(with: preimage) }
    }

    @Test("The initialization vector has 16 bytes", arguments: [0, 15, 17])
    func vectorLength(count: Int) {
        #expect(throws: SuccessActionFault.initializationVector) {
            try EncryptedAction.seal(
                "x",
                description: description,
                preimage: preimage,
                initializationVector: Array(repeating: 0, count: count)
            )
        }
    }
}
