import LightningCoding
import LightningCrypto
import Testing
import Waiting
@testable import ResponderCore

@Suite("A hostile notification", .timeLimit(.minutes(5)))
struct HostileNotificationTests {
    /// One of each kind.
    static let seeds = [
        NotificationFixture.info(),
        NotificationFixture.invoice("18446744073709551615", more: #","verify_url":"{payment_hash}""#),
        #"{"event":"invoice.request","data":{"offer":"lno1x","invoiceRequest":"000102030405"}}"#,
        #"{"body":{"notification_type":"swap_updated","notification_payload":"{\"id\":\"a\",\"status\":\"b\"}"}}"#,
        #"{"aps":{"alert":{"payload":{"cipher":"AAAA","iv":"000102030405060708090a0b","tag":"00000000000000000000000000000000","publicKey":"0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"}}}}"#,
    ]

    @Test("is read or rejected, whichever byte is changed or missing", arguments: seeds)
    func mutations(seed: String) throws {
        let key = try PayloadKey(SecretKey(Array(repeating: 1, count: 32)), purpose: "p")
        let reader = NotificationReader(key: key)
        let bytes = Array(seed.utf8)
        var readable = 0
        for index in bytes.indices {
            for byte: UInt8 in [0x00, 0x22, 0x2d, 0x30, 0x5c, 0x5d, 0x7b, 0x7d, 0x7f, 0x80, 0xc3, 0xff] {
                var changed = bytes
                changed[index] = byte
                if (try? reader.read(changed)) != nil { readable += 1 }
            }
            _ = try? reader.read(Array(bytes[..<index]))
            _ = try? reader.read(Array(bytes[index...]))
        }
        #expect(readable > 0)
    }

    @Test("costs at most four times as much as another of its size, whatever its members are called")
    func costs() throws {
        func read(_ name: String) throws {
            let members = #""\#(name)a":1,"\#(name)b":2"#
            _ = try NotificationReader().read(Array(#"{"event":"x",\#(members),"data":{}}"#.utf8))
            _ = try NotificationReader().read(
                Array(#"{"event":"lnurlpay_info","data":{"reply_url":"r","callback_url":"c",\#(members)}}"#.utf8))
        }
        let (costly, plain) = (CostlyText.marks(7_993), CostlyText.plain(7_993))
        #expect(try Waiting.costs(of: { try read(costly) }, comparedWith: { try read(plain) }) < 4)
    }

    @Test("is of a different type when the bytes of its type differ, however similar they look")
    func types() throws {
        func type(_ name: String) throws -> NotificationType {
            try NotificationReader().read(Array(#"{"event":"\#(name)","data":{}}"#.utf8)).type
        }
        #expect(try type("caf\u{e9}") == NotificationType(rawValue: "caf\u{e9}"))
        #expect(try type("cafe\u{301}") != NotificationType(rawValue: "caf\u{e9}"))
        #expect(Set([try type("caf\u{e9}"), try type("cafe\u{301}")]).count == 2)
    }

    @Test("is rejected when nested too deeply or with too many members")
    func nesting() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: EnvelopeFault.self) { try NotificationReader().read(Array(deep.utf8)) }
        let inner = JSONValue.string(String(repeating: #"{\"a\":"#, count: 1000)).serialized()
        #expect(throws: EnvelopeFault.self) {
            try NotificationReader().read(Array(#"{"notification_type":"x","notification_payload":\#(inner)}"#.utf8))
        }
        let many = (0..<20_000).map { #""\#($0)":1"# }.joined(separator: ",")
        #expect(throws: EnvelopeFault.self) {
            try NotificationReader().read(Array("{\(many)}".utf8))
        }
    }
}
