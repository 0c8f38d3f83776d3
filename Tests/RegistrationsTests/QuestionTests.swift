import LNURL
import LightningCoding
import LightningCrypto
import Registrations
import ResponderModel
import Testing

@Suite("Questions to a device", .timeLimit(.minutes(5)))
struct QuestionTests {
    private let replyURL: HTTPURL
    private let template = "https://pay.example.com/lnurlpay/alice/{payment_hash}"

    init() throws {
        replyURL = try HTTPURL("https://pay.example.com/response/18446744073709551615")
    }

    private func text(_ question: DeviceQuestion) -> String { question.envelope(replyURL: replyURL).serialized() }

    @Test("They have the envelopes of breez-lnurl, with members in alphabetical order and nothing empty")
    func breez() throws {
        let callback = try HTTPURL("https://pay.example.com/lnurlpay/alice/invoice")
        #expect(
            text(.info(callback: callback))
                == #"{"template":"lnurlpay_info","data":{"callback_url":"https://pay.example.com/lnurlpay/alice/invoice","reply_url":"https://pay.example.com/response/18446744073709551615"}}"#
        )
        let all = CallbackQuery(amount: Millisatoshi(UInt64.max), comment: "a&b <c>", nostr: #"{"kind":9734}"#)
        #expect(
            text(.invoice(.init(all, shown: nil, verifyTemplate: template)))
                == #"{"template":"lnurlpay_invoice","data":{"amount":18446744073709551615,"comment":"a&b <c>","nostr":"{\"kind\":9734}","reply_url":"https://pay.example.com/response/18446744073709551615","verify_url":"https://pay.example.com/lnurlpay/alice/{payment_hash}"}}"#
        )
        let least = CallbackQuery(amount: Millisatoshi(1), comment: "", nostr: "")
        #expect(
            text(.invoice(.init(least, shown: nil, verifyTemplate: template)))
                == #"{"template":"lnurlpay_invoice","data":{"amount":1,"reply_url":"https://pay.example.com/response/18446744073709551615","verify_url":"https://pay.example.com/lnurlpay/alice/{payment_hash}"}}"#
        )
        let hash = try PaymentHash(Array(repeating: 0xAB, count: 32))
        #expect(
            text(.verify(hash))
                == #"{"template":"lnurlpay_verify","data":{"payment_hash":"\#(String(repeating: "ab", count: 32))","reply_url":"https://pay.example.com/response/18446744073709551615"}}"#
        )
    }

    @Test("A BOLT12 request has the envelope of Boltz, and a reply URL")
    func boltz() {
        #expect(
            text(.invoiceRequest([0, 0xff], offer: "lno1a"))
                == #"{"event":"invoice.request","data":{"invoiceRequest":"00ff","offer":"lno1a","reply_url":"https://pay.example.com/response/18446744073709551615"}}"#
        )
    }

    @Test("The mark of a metadata string is the first 64 bits of its SHA-256")
    func marks() {
        // sha256sum of the string begins with c0f63890679b5418.
        #expect(MetadataMark(of: #"[["text/plain","Pay with LNURL"]]"#).number == 0xc0f6_3890_679b_5418)
    }

    @Test("A reply above 64 KiB is not read")
    func size() throws {
        let inspection = ReplyInspection(network: .bitcoin, now: UnixTime(0))
        let question = DeviceQuestion.verify(try PaymentHash(Array(repeating: 0, count: 32)))
        let body = Array("{}".utf8) + Array(repeating: UInt8(ascii: " "), count: ReplyInspection.maximumCount - 2)
        #expect(throws: ReplyFault.answer(.missing(.settled))) { try inspection.answer(in: body, to: question) }
        #expect(throws: ReplyFault.tooLarge) { try inspection.answer(in: body + [0x20], to: question) }
    }

    @Test("A reply is nested up to eight deep, and has up to 256 members and elements")
    func shape() throws {
        let inspection = ReplyInspection(network: .bitcoin, now: UnixTime(0))
        let question = DeviceQuestion.verify(try PaymentHash(Array(repeating: 0, count: 32)))
        func fault(_ reply: String) -> ReplyFault? {
            #expect(throws: ReplyFault.self) { try inspection.answer(in: Array(reply.utf8), to: question) }
        }
        func nested(_ depth: Int) -> String {
            #"{"a":"# + String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1) + "}"
        }
        func members(_ count: Int) -> String {
            #"{"a":["# + Array(repeating: "1", count: count - 1).joined(separator: ",") + "]}"
        }
        for accepted in [nested(8), members(256)] { #expect(fault(accepted) == .answer(.missing(.settled))) }
        for (reply, kind) in [(nested(9), .tooDeep), (members(257), .tooManyMembers)] as [(String, JSONFault.Kind)] {
            guard case .json(let fault) = fault(reply) else {
                Issue.record("accepted: \(reply)")
                continue
            }
            #expect(fault.kind == kind)
        }
    }

    @Test("An invoice above 4 KiB is not read, nor kept")
    func longInvoice() throws {
        let inspection = ReplyInspection(network: .bitcoin, now: UnixTime(0))
        let question = DeviceQuestion.verify(try PaymentHash(Array(repeating: 0, count: 32)))
        for (count, isTooLong) in [(4096, false), (4097, true)] {
            let reply: JSONValue = ["settled": true, "pr": .string(String(repeating: "x", count: count))]
            let fault = #expect(throws: ReplyFault.self) {
                try inspection.answer(in: reply.serializedBytes(), to: question)
            }
            #expect((fault == .tooLarge) == isTooLong)
        }
    }

    @Test("The mark of a verify URL is of one key, one hash and one domain, at one service")
    func verifyMarks() throws {
        let hash = try PaymentHash(Array(repeating: 1, count: 32))
        let key = try SecretKey(Array(repeating: 1, count: 32)).publicKey
        let id = RegistrationID(key, at: try DomainName("a.example"))
        let marks = VerifyMarks(key: SecretBytes([UInt8](repeating: 3, count: 32)))
        let mark = marks.mark(of: hash, for: id)
        #expect(marks.isMark(mark, of: hash, for: id) && !marks.isMark(mark ^ 1, of: hash, for: id))
        let others = [
            marks.mark(of: try PaymentHash(Array(repeating: 2, count: 32)), for: id),
            marks.mark(of: hash, for: RegistrationID(key, at: try DomainName("b.example"))),
            marks.mark(
                of: hash, for: RegistrationID(try SecretKey(Array(repeating: 2, count: 32)).publicKey, at: id.domain)),
            VerifyMarks(key: SecretBytes([UInt8](repeating: 4, count: 32))).mark(of: hash, for: id),
        ]
        #expect(Set(others + [mark]).count == 5)
    }

    @Test("A device's reason is shown on one line without control characters, and not at all when it is long")
    func reasons() throws {
        let inspection = ReplyInspection(network: .bitcoin, now: UnixTime(0))
        let question = DeviceQuestion.verify(try PaymentHash(Array(repeating: 0, count: 32)))
        func fault(_ reason: String) throws -> ReplyFault? {
            let body = ErrorResponse(reason: reason).json.serializedBytes()
            return #expect(throws: ReplyFault.self) { try inspection.answer(in: body, to: question) }
        }
        #expect(try fault("a\nb\u{202e}") == .refused("a ⏎ b\\u{202e}"))
        #expect(try fault(String(repeating: "x", count: 400)) == .refused(String(repeating: "x", count: 400)))
        #expect(try fault(String(repeating: "x", count: 401)) == .refused(""))
    }
}
