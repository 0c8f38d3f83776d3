import LightningCoding
import ResponderModel
import Testing

@Suite("The settings of an account", .timeLimit(.minutes(5)))
struct AccountSettingsTests {
    static func read(_ text: String, defaultBackend: BackendName? = .embedded) throws -> AccountSettings {
        try AccountSettings(json: JSONValue(parsing: text), defaultBackend: defaultBackend)
    }

    @Test("What is missing keeps its default")
    func defaults() throws {
        let settings = try Self.read(#"{"description":"Tea"}"#)
        #expect(settings == AccountSettings(description: "Tea", backend: .embedded))
        #expect(settings.commentAllowed == 255)
        #expect(settings.invoiceExpiry == 600)
    }

    @Test("Who names no node gets the one that is said, or is told to name one")
    func defaultBackend() throws {
        let main = try #require(BackendName("main"))
        #expect(try Self.read(#"{"description":"Tea"}"#, defaultBackend: main).backend == main)
        #expect(
            try Self.read(#"{"description":"Tea","backend":"embedded"}"#, defaultBackend: main).backend == .embedded)
        #expect {
            try Self.read(#"{"description":"Tea"}"#, defaultBackend: nil)
        } throws: { fault in
            (fault as? SettingsFault)?.key == "backend" && (fault as? SettingsFault)?.problem == .missing
        }
    }

    @Test("Settings read back as they were written")
    func roundTrip() throws {
        let text = """
            {"description":"Tea","longDescription":"Two cups","image":{"format":"png","base64":"AAAA"},"mailbox":true,\
            "minSendable":1,"maxSendable":2100000000000000000,"commentAllowed":0,\
            "payerData":{"name":"optional","auth":"mandatory"},\
            "successAction":{"secret":"the code","description":"opens"},"invoiceExpiry":60,"backend":"main-node"}
            """
        #expect(try Self.read(text).json.serialized() == text)
    }

    @Test(
        "A wrong key is named",
        arguments: [
            (#"{}"#, "description"),
            (#"{"description":7}"#, "description"),
            (#"{"description":"Tea","color":"red"}"#, "color"),
            (#"{"description":"Tea","minSendable":0}"#, "minSendable"),
            (#"{"description":"Tea","minSendable":1.5}"#, "minSendable"),
            (#"{"description":"Tea","minSendable":-1}"#, "minSendable"),
            (#"{"description":"Tea","minSendable":2,"maxSendable":1}"#, "minSendable"),
            (#"{"description":"Tea","maxSendable":2100000000000000001}"#, "maxSendable"),
            (#"{"description":"Tea","commentAllowed":2001}"#, "commentAllowed"),
            (#"{"description":"Tea","invoiceExpiry":59}"#, "invoiceExpiry"),
            (#"{"description":"Tea","invoiceExpiry":604801}"#, "invoiceExpiry"),
            (#"{"description":"Tea","backend":"Main"}"#, "backend"),
            (#"{"description":"Tea","payerData":{"name":"yes"}}"#, "payerData.name"),
            (#"{"description":"Tea","image":{"format":"gif","base64":""}}"#, "image.format"),
            (#"{"description":"Tea","successAction":{"message":"a","url":"https://b"}}"#, "successAction"),
        ]
    )
    func wrongKey(text: String, key: String) throws {
        #expect {
            try Self.read(text)
        } throws: { fault in
            (fault as? SettingsFault)?.key == key
        }
    }

    @Test("A success action of 144 characters is accepted, of 145 refused")
    func actionLength() throws {
        let text = String(repeating: "é", count: 144)
        #expect(try Self.read(#"{"description":"Tea","successAction":{"message":"\#(text)"}}"#).successAction != .none)
        #expect(throws: SettingsFault.self) {
            try Self.read(#"{"description":"Tea","successAction":{"message":"\#(text)e"}}"#)
        }
    }

    @Test("A secret of 3071 bytes is accepted, of 3072 refused")
    func secretLength() throws {
        let secret = String(repeating: "s", count: 3071)
        #expect(
            try Self.read(#"{"description":"Tea","successAction":{"secret":"\#(secret)"}}"#).successAction.needsPreimage
        )
        #expect(throws: SettingsFault.self) {
            try Self.read(#"{"description":"Tea","successAction":{"secret":"\#(secret)s"}}"#)
        }
    }
}

@Suite("Limits", .timeLimit(.minutes(5)))
struct ReceiveLimitsTests {
    @Test("Limits whose minimum is zero or above the maximum do not exist")
    func impossible() {
        #expect(ReceiveLimits(minimum: .zero, maximum: Millisatoshi(1)) == nil)
        #expect(ReceiveLimits(minimum: Millisatoshi(2), maximum: Millisatoshi(1)) == nil)
        #expect(ReceiveLimits(minimum: Millisatoshi(1), maximum: Millisatoshi(1)) != nil)
    }

    @Test("Whole satoshis round inwards, and may leave nothing")
    func wholeSatoshis() {
        let limits = ReceiveLimits(minimum: Millisatoshi(1), maximum: Millisatoshi(2_999))
        #expect(limits?.wholeSatoshis() == ReceiveLimits(minimum: Millisatoshi(1_000), maximum: Millisatoshi(2_000)))
        #expect(ReceiveLimits(minimum: Millisatoshi(1_001), maximum: Millisatoshi(1_999))?.wholeSatoshis() == nil)
    }

    @Test("An account narrows what the node offers, and may leave nothing")
    func narrowed() {
        let limits = ReceiveLimits(minimum: Millisatoshi(10), maximum: Millisatoshi(20))
        #expect(limits?.narrowed(to: Millisatoshi(5), Millisatoshi(30)) == limits)
        #expect(limits?.narrowed(to: Millisatoshi(12), nil)?.minimum == Millisatoshi(12))
        #expect(limits?.narrowed(to: nil, Millisatoshi(9)) == nil)
    }
}
