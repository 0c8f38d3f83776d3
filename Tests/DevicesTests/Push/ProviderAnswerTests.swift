import Devices
import LightningCoding
import PushProviders
import Testing

@Suite("What answers of push providers mean", .timeLimit(.minutes(5)))
struct ProviderAnswerTests {
    @Test(
        "APNs: by status and reason, as Apple lists them",
        arguments: [
            (200, nil, .accepted(id: "x")), (400, "BadDeviceToken", .badToken), (400, "IdleTimeout", .connectionEnded),
            (400, "DeviceTokenNotForTopic", .misconfigured("DeviceTokenNotForTopic")),
            (400, "BadTopic", .misconfigured("BadTopic")), (400, "MissingTopic", .misconfigured("MissingTopic")),
            (400, "TopicDisallowed", .misconfigured("TopicDisallowed")),
            (400, "PayloadEmpty", .invalidRequest("PayloadEmpty")), (400, nil, .invalidRequest("status 400")),
            (404, "BadPath", .invalidRequest("BadPath")),
            (405, "MethodNotAllowed", .invalidRequest("MethodNotAllowed")),
            (403, "ExpiredProviderToken", .credentialExpired),
            (403, "UnrelatedKeyIdInToken", .credentialRefused("UnrelatedKeyIdInToken", mayBeTheConnection: true)),
            (403, "InvalidProviderToken", .credentialRefused("InvalidProviderToken", mayBeTheConnection: false)),
            (403, nil, .credentialRefused("status 403", mayBeTheConnection: false)),
            (410, "Unregistered", .gone(since: 1_700_000_000_123)),
            (410, "ExpiredToken", .gone(since: 1_700_000_000_123)), (413, "PayloadTooLarge", .tooLarge),
            (429, "TooManyProviderTokenUpdates", .credentialTooNew),
            (429, "TooManyRequests", .deviceBusy(retryAfter: nil)),
            (500, "InternalServerError", .outage("InternalServerError")), (503, nil, .outage("status 503")),
        ] as [(Int, String?, PushVerdict)])
    func apns(status: Int, reason: String?, verdict: PushVerdict) {
        var body: JSONObject = ["timestamp": 1_700_000_000_123]
        if let reason { body["reason"] = .string(reason) }
        #expect(PushVerdict.apns(status: status, id: "x", body: JSONValue.object(body).serializedBytes()) == verdict)
    }

    @Test("APNs: a device may have gone at an unknown time, and a body that is no JSON says nothing")
    func apnsWithoutBody() {
        #expect(PushVerdict.apns(status: 410, body: []) == .gone(since: nil))
        #expect(PushVerdict.apns(status: 400, body: Array("<html>".utf8)) == .invalidRequest("status 400"))
    }

    @Test(
        "FCM: by status and FCM's own code, then by the field that is wrong",
        arguments: [
            (200, nil, nil, .accepted(id: nil)), (404, "UNREGISTERED", nil, .gone(since: nil)),
            (404, nil, nil, .misconfigured("status 404")),
            (400, "INVALID_ARGUMENT", "message.token", .gone(since: nil)),
            (400, "INVALID_ARGUMENT", "message.data[0].value", .invalidRequest("INVALID_ARGUMENT")),
            (400, nil, nil, .invalidRequest("status 400")),
            (403, "SENDER_ID_MISMATCH", nil, .foreign("SENDER_ID_MISMATCH")),
            (403, nil, nil, .credentialRefused("status 403", mayBeTheConnection: false)),
            (401, "THIRD_PARTY_AUTH_ERROR", nil, .misconfigured("THIRD_PARTY_AUTH_ERROR")),
            (401, nil, nil, .credentialExpired), (413, nil, nil, .tooLarge),
            (429, "QUOTA_EXCEEDED", nil, .deviceBusy(retryAfter: 60)),
            (500, "INTERNAL", nil, .unavailable("INTERNAL", retryAfter: nil)),
        ] as [(Int, String?, String?, PushVerdict)])
    func fcm(status: Int, code: String?, field: String?, verdict: PushVerdict) {
        let body = code.map { FCMStandIn.error(status, $0, field: field) } ?? #"{"error":{"details":[]}}"#
        #expect(PushVerdict.fcm(status: status, body: Array(body.utf8)) == verdict)
    }

    @Test("FCM: the limit of a whole project is told from that of a device; errors may be HTML; names are kept")
    func fcmBodies() {
        func verdict(_ status: Int, _ body: String) -> PushVerdict {
            .fcm(status: status, body: Array(body.utf8))
        }
        let limit = #"{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"RATE_LIMIT_EXCEEDED"}"#
        #expect(verdict(429, #"{"error":{"details":[\#(limit)]}}"#) == .quotaExceeded(retryAfter: 60))
        #expect(verdict(502, "<html>Bad Gateway</html>") == .unavailable("status 502", retryAfter: nil))
        #expect(verdict(200, #"{"name":"projects/p/messages/1"}"#) == .accepted(id: "projects/p/messages/1"))
    }

    @Test(
        "A pause is a number of seconds, at most a day; a date is ignored",
        arguments: [
            (nil, nil), ("7", 7), ("86400", 86_400), ("999999", 86_400), ("99999999999999999999", nil), ("-1", nil),
            ("Wed, 21 Oct 2026 07:28:00 GMT", nil), ("", nil),
        ] as [(String?, UInt64?)])
    func pauses(field: String?, seconds: UInt64?) {
        #expect(
            PushVerdict.fcm(status: 503, retryAfter: field, body: [])
                == .unavailable("status 503", retryAfter: seconds))
        #expect(PushVerdict.fcm(status: 429, retryAfter: field, body: []) == .deviceBusy(retryAfter: seconds ?? 60))
        #expect(
            WebPush.verdict(status: 503, retryAfter: field, location: nil)
                == .unavailable("status 503", retryAfter: seconds))
        #expect(WebPush.verdict(status: 429, retryAfter: field, location: nil) == .deviceBusy(retryAfter: seconds))
    }

    @Test(
        "Web Push: by status alone",
        arguments: [
            (200, .accepted(id: "/m/1")), (201, .accepted(id: "/m/1")), (404, .gone(since: nil)),
            (410, .gone(since: nil)),
            (413, .tooLarge), (400, .refused("status 400")), (401, .unauthorized("status 401")),
            (403, .unauthorized("status 403")), (301, .refused("status 301")), (302, .refused("status 302")),
            (500, .unavailable("status 500", retryAfter: nil)), (507, .unavailable("status 507", retryAfter: nil)),
        ] as [(Int, PushVerdict)])
    func webPush(status: Int, verdict: PushVerdict) {
        #expect(WebPush.verdict(status: status, retryAfter: nil, location: "/m/1") == verdict)
    }
}
