import LightningCoding
import Testing
@testable import ResponderCore

@Suite("A notification", .timeLimit(.minutes(5)))
struct EnvelopeTests {
    private func read(_ text: String) throws -> ReceivedNotification {
        try NotificationReader().read(Array(text.utf8))
    }

    private static let payload = #"{"callback_url":"https://ln.example/cb","reply_url":"https://ln.example/r/1"}"#
    private static let quoted = JSONValue.string(payload).serialized()

    @Test(
        "is read in every envelope, whatever else it contains",
        arguments: [
            (#"{"template":"lnurlpay_info","data":\#(payload)}"#, ReceivedNotification.Envelope.template),
            (#"{"x":1,"data":\#(payload),"template":"lnurlpay_info","event":null}"#, .template),
            (#"{"event":"lnurlpay_info","data":\#(payload)}"#, .event),
            (#"{"notification_type":"lnurlpay_info","notification_payload":\#(quoted)}"#, .push),
            (#"{"body":{"notification_type":"lnurlpay_info","notification_payload":\#(quoted)}}"#, .push),
            (#"{"body":"x","notification_type":"lnurlpay_info","notification_payload":\#(quoted)}"#, .push),
            (
                #"{"aps":{"alert":{"title":"x"}},"notification_type":"lnurlpay_info","notification_payload":\#(quoted)}"#,
                .push
            ),
        ]
    )
    func envelopes(text: String, envelope: ReceivedNotification.Envelope) throws {
        let notification = try read(text)
        #expect(notification.envelope == envelope)
        #expect(notification.type == .payInfo)
        #expect(notification.event == .payInfo(callback: "https://ln.example/cb"))
        #expect(notification.replyURL == "https://ln.example/r/1")
        #expect(notification.appData == nil)
    }

    @Test("is read as it was written, in every envelope", arguments: NotificationEnvelope.allCases)
    func written(envelope: NotificationEnvelope) throws {
        let payload = try #require(try JSONValue(parsing: Self.payload).object)
        let notification = try NotificationReader().read(
            JSONValue.object(envelope.notification("lnurlpay_info", payload, appData: "words")).serializedBytes())
        #expect(notification.type == .payInfo)
        #expect(notification.payload == payload)
        let isPush = envelope == .push || envelope == .pushBody
        #expect(notification.appData == (isPush ? "words" : nil))
    }

    @Test(
        "in no known envelope is rejected, with the rule that it breaks",
        arguments: [
            ("", EnvelopeFault.json(JSONFault(.unexpectedEnd, at: 0))),
            ("{", .json(JSONFault(.unexpectedEnd, at: 1))),
            ("[]", .notAnObject), ("7", .notAnObject), ("null", .notAnObject), (#""x""#, .notAnObject),
            ("{}", .unknownEnvelope), (#"{"data":{}}"#, .unknownEnvelope), (#"{"template":null}"#, .unknownEnvelope),
            (#"{"body":{"body":{"notification_type":"x"}}}"#, .unknownEnvelope),
            (#"{"template":7,"data":{}}"#, .member(MemberFault("template", .notText))),
            (#"{"template":"","data":{}}"#, .member(MemberFault("template", .empty))),
            (#"{"template":"x"}"#, .member(MemberFault("data", .missing))),
            (#"{"template":"x","data":null}"#, .member(MemberFault("data", .missing))),
            (#"{"template":"x","data":"{}"}"#, .member(MemberFault("data", .notAnObject))),
            (#"{"event":[],"data":{}}"#, .member(MemberFault("event", .notText))),
            (#"{"notification_type":{}}"#, .member(MemberFault("notification_type", .notText))),
            (#"{"notification_type":"x"}"#, .member(MemberFault("notification_payload", .missing))),
            (
                #"{"notification_type":"x","notification_payload":null}"#,
                .member(MemberFault("notification_payload", .missing))
            ),
            (
                #"{"notification_type":"x","notification_payload":{}}"#,
                .member(MemberFault("notification_payload", .notText))
            ),
            (
                #"{"notification_type":"x","notification_payload":""}"#,
                .member(MemberFault("notification_payload", .empty))
            ),
            (
                #"{"notification_type":"x","notification_payload":"{"}"#,
                .payloadJSON(JSONFault(.unexpectedEnd, at: 1))
            ),
            (
                #"{"notification_type":"x","notification_payload":"[]"}"#,
                .member(MemberFault("notification_payload", .notAnObject))
            ),
        ]
    )
    func unreadable(text: String, fault: EnvelopeFault) {
        #expect(throws: fault) { try read(text) }
        #expect(!fault.reason.isEmpty)
    }

    @Test("of a megabyte is rejected unread, as is a type of 65 bytes; one at the limit is read")
    func tooLarge() throws {
        #expect(throws: EnvelopeFault.tooLarge) {
            try read(#"{"notification_type":"x","notification_payload":"\#(String(repeating: "x", count: 1 << 20))"}"#)
        }
        let frame = #"{"template":"x","data":{"a":""}}"#.utf8.count
        let filling = String(repeating: "a", count: NotificationReader.maximumCount - frame)
        #expect(try read(#"{"template":"x","data":{"a":"\#(filling)"}}"#).type == NotificationType(rawValue: "x"))
        #expect(throws: EnvelopeFault.tooLarge) { try read(#"{"template":"x","data":{"a":"\#(filling)a"}}"#) }
        let name = String(repeating: "t", count: 64)
        #expect(try read(#"{"template":"\#(name)","data":{}}"#).type.rawValue == name)
        #expect(throws: EnvelopeFault.member(MemberFault("template", .tooLong(maximum: 64)))) {
            try read(#"{"template":"\#(name)t","data":{}}"#)
        }
    }

    @Test("carries the app's own data, of any kind")
    func appData() throws {
        for (text, value) in [
            (#""s""#, JSONValue.string("s")), (#"{"a":[1]}"#, ["a": [1]]), ("7", 7), ("false", false),
        ] {
            let notification = try read(#"{"notification_type":"x","notification_payload":"{}","app_data":\#(text)}"#)
            #expect(notification.appData == value)
        }
        #expect(try read(#"{"notification_type":"x","notification_payload":"{}","app_data":null}"#).appData == nil)
    }

    @Test("has its sender's id, wherever that is")
    func messageID() throws {
        #expect(try read(#"{"event":"x","data":{},"event_id":"e1"}"#).messageID == "e1")
        #expect(
            try read(#"{"gcm.message_id":"m1","notification_type":"x","notification_payload":"{}"}"#).messageID == "m1")
        #expect(
            try read(#"{"gcm.message_id":"m1","body":{"notification_type":"x","notification_payload":"{}"}}"#).messageID
                == "m1")
        #expect(try read(#"{"event":"x","data":{},"event_id":7}"#).messageID == nil)
    }

    @Test("with other names is understood once these are configured")
    func otherNames() throws {
        var names = EnvelopeNames()
        names.template = "kind"
        names.data = "body"
        names.types["pay.info"] = .payInfo
        names.payloadMembers = ["callback_url": "callback", "reply_url": "answer_to"]
        let reader = NotificationReader(names: names)
        let text =
            #"{"kind":"pay.info","body":{"callback":"https://ln.example/cb","answer_to":"https://ln.example/r"}}"#
        let notification = try reader.read(Array(text.utf8))
        #expect(notification.event == .payInfo(callback: "https://ln.example/cb"))
        #expect(notification.replyURL == "https://ln.example/r")
        #expect(throws: EnvelopeFault.payload(MemberFault("answer_to", .missing))) {
            try reader.read(Array(#"{"kind":"pay.info","body":{"callback":"https://ln.example/cb"}}"#.utf8))
        }
        #expect(throws: EnvelopeFault.unknownEnvelope) { try reader.read(Array(#"{"template":"x","data":{}}"#.utf8)) }
    }
}
