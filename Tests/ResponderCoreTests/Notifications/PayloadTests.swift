import LNURL
import LightningCoding
import ResponderModel
import Testing
@testable import ResponderCore

@Suite("The payload of a notification", .timeLimit(.minutes(5)))
struct PayloadTests {
    private func read(_ type: String, _ payload: String) throws -> ReceivedNotification {
        try NotificationReader().read(Array(#"{"template":"\#(type)","data":\#(payload)}"#.utf8))
    }

    private static let hash = String(repeating: "ab", count: 32)

    /// Every required member, with a complete payload.
    static let required: [(type: String, member: String, payload: JSONObject)] = [
        ("lnurlpay_info", "callback_url", ["callback_url": "https://a.example", "reply_url": "https://b.example"]),
        ("lnurlpay_info", "reply_url", ["callback_url": "https://a.example", "reply_url": "https://b.example"]),
        ("lnurlpay_invoice", "reply_url", ["amount": 1, "reply_url": "https://b.example"]),
        ("lnurlpay_verify", "payment_hash", ["payment_hash": .string(hash), "reply_url": "https://b.example"]),
        ("lnurlpay_verify", "reply_url", ["payment_hash": .string(hash), "reply_url": "https://b.example"]),
        ("invoice_request", "invoice_request", ["invoice_request": "00"]),
        ("swap_updated", "id", ["id": .string(hash), "status": "swap.created"]),
        ("swap_updated", "status", ["id": .string(hash), "status": "swap.created"]),
        ("payment_received", "payment_hash", ["payment_hash": .string(hash)]),
        ("address_txs_confirmed", "address", ["address": "bc1q"]),
        ("tx_confirmed", "tx_id", ["tx_id": "00"]),
    ]

    @Test("is read when it is complete, and rejected for each member that is not a string", arguments: required.indices)
    func requiredTexts(index: Int) throws {
        let (type, member, payload) = Self.required[index]
        _ = try read(type, JSONValue.object(payload).serialized())
        let wrong: [(JSONValue?, MemberFault.Problem)] = [
            (nil, .missing), (.null, .missing), ("", .empty), (7, .notText), (-1, .notText),
            (.unsigned(.max), .notText),
            (true, .notText), ([], .notText), ([:], .notText),
        ]
        for (value, problem) in wrong {
            var changed = payload
            changed[member] = value
            #expect(throws: EnvelopeFault.payload(MemberFault(member, problem))) {
                try read(type, JSONValue.object(changed).serialized())
            }
        }
    }

    @Test("has an amount of unsigned 64 bits, and nothing else")
    func amounts() throws {
        for (text, amount) in [("0", 0), ("1", 1), ("18446744073709551615", UInt64.max)] {
            let notification = try read("lnurlpay_invoice", #"{"amount":\#(text),"reply_url":"https://b.example"}"#)
            #expect(notification.event == .payInvoice(.init(amount: Millisatoshi(amount)), verify: nil))
        }
        for text in ["-1", "1.0", "1e3", #""1000""#, "18446744073709551616", "true", "[]", "{}"] {
            #expect(throws: EnvelopeFault.payload(MemberFault("amount", .notWholeNumber)), "\(text)") {
                try read("lnurlpay_invoice", #"{"amount":\#(text),"reply_url":"https://b.example"}"#)
            }
        }
        for payload in [#"{"reply_url":"https://b.example"}"#, #"{"amount":null,"reply_url":"https://b.example"}"#] {
            #expect(throws: EnvelopeFault.payload(MemberFault("amount", .missing))) {
                try read("lnurlpay_invoice", payload)
            }
        }
    }

    @Test("may omit optional members; null and empty strings count as absent")
    func optionals() throws {
        for more in ["", #","comment":null,"verify_url":null"#, #","comment":"","verify_url":"""#, #","unknown":7"#] {
            let notification = try read("lnurlpay_invoice", #"{"amount":1,"reply_url":"https://b.example"\#(more)}"#)
            #expect(notification.event == .payInvoice(.init(amount: Millisatoshi(1)), verify: nil))
        }
        for member in ["comment", "verify_url", "nostr"] {
            #expect(throws: EnvelopeFault.payload(MemberFault(member, .notText))) {
                try read("lnurlpay_invoice", #"{"amount":1,"reply_url":"https://b.example","\#(member)":7}"#)
            }
        }
        for more in ["", #","offer":null,"reply_url":null"#, #","reply_url":"""#] {
            let notification = try read("invoice_request", #"{"invoice_request":"00"\#(more)}"#)
            #expect(notification.event == .invoiceRequest([0], offer: nil))
            #expect(notification.replyURL == nil)
        }
        for member in ["offer", "reply_url"] {
            #expect(throws: EnvelopeFault.payload(MemberFault(member, .notText))) {
                try read("invoice_request", #"{"invoice_request":"00","\#(member)":false}"#)
            }
        }
    }

    @Test("may spell an invoice request in two ways, always in hexadecimal")
    func invoiceRequests() throws {
        for (envelope, type) in [("event", "invoice.request"), ("template", "invoice_request")] {
            for member in ["invoiceRequest", "invoice_request"] {
                let text = #"{"\#(envelope)":"\#(type)","data":{"offer":"lno1x","\#(member)":"0aFF"}}"#
                let notification = try NotificationReader().read(Array(text.utf8))
                #expect(notification.type == .invoiceRequest)
                #expect(notification.event == .invoiceRequest([0x0a, 0xff], offer: "lno1x"))
            }
        }
        for text in ["0", "0g", "lnr1qqq"] {
            #expect(throws: EnvelopeFault.payload(MemberFault("invoiceRequest", .notHexadecimal))) {
                try read("invoice_request", #"{"invoiceRequest":"\#(text)"}"#)
            }
        }
        let longest = String(repeating: "00", count: 65_535)
        _ = try read("invoice_request", #"{"invoiceRequest":"\#(longest)"}"#)
        #expect(throws: EnvelopeFault.payload(MemberFault("invoiceRequest", .tooLong(maximum: 131_070)))) {
            try read("invoice_request", #"{"invoiceRequest":"\#(longest)00"}"#)
        }
    }

    @Test("names a payment by 32 bytes when it is reported, and by any text in a verify request")
    func paymentHashes() throws {
        for text in ["ab", String(repeating: "ab", count: 33), String(repeating: "xy", count: 32)] {
            #expect(throws: EnvelopeFault.payload(MemberFault("payment_hash", .notHexadecimal))) {
                try read("payment_received", #"{"payment_hash":"\#(text)"}"#)
            }
            let notification = try read(
                "lnurlpay_verify", #"{"payment_hash":"\#(text)","reply_url":"https://b.example"}"#)
            #expect(notification.event == .payVerify(paymentHash: text))
        }
    }

    @Test("of a swap may have any status")
    func swapStatuses() throws {
        for status in ["transaction.claim.pending", "swap.dreamt"] {
            let notification = try NotificationReader().read(
                Array(#"{"event":"swap.update","data":{"id":"ab","status":"\#(status)"}}"#.utf8))
            #expect(notification.type == .swapUpdated)
            #expect(notification.event == .backend(.swapUpdated(id: "ab", SwapStatus(status))))
        }
    }

    @Test("has strings of at most 2048 bytes, and ids of at most 128")
    func lengths() throws {
        let url = "https://b.example/" + String(repeating: "x", count: 2048 - 18)
        _ = try read("lnurlpay_info", #"{"callback_url":"\#(url)","reply_url":"\#(url)"}"#)
        #expect(throws: EnvelopeFault.payload(MemberFault("reply_url", .tooLong(maximum: 2048)))) {
            try read("lnurlpay_info", #"{"callback_url":"\#(url)","reply_url":"\#(url)x"}"#)
        }
        let id = String(repeating: "a", count: 128)
        _ = try read("tx_confirmed", #"{"tx_id":"\#(id)"}"#)
        #expect(throws: EnvelopeFault.payload(MemberFault("tx_id", .tooLong(maximum: 128)))) {
            try read("tx_confirmed", #"{"tx_id":"\#(id)a"}"#)
        }
    }
}
