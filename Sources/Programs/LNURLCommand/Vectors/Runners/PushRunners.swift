import Devices
import LightningCoding
import LightningCrypto
import OutboundHTTP

extension VectorRunner {
    static let push = [
        VectorRunner("push", "es256") { input in
            let key = try P256SecretKey(input.bytes("key"))
            let signature = try key.sign(Array(input.text("text").utf8))
            return ["signature": .hexadecimal(signature), "publicKey": .hexadecimal(key.publicKey.point)]
        },
        VectorRunner("push", "apns-token") { input in
            let key = try APNsKey(
                id: input.text("keyID"), team: input.text("team"), P256SecretKey(input.bytes("key")))
            return ["token": .string(try key.token(issuedAt: UnixTime(input.unsigned("issuedAt"))))]
        },
        VectorRunner("push", "fcm-assertion") { input in
            let account = ServiceAccount(
                project: "", email: try input.text("email"), keyID: try input.text("keyID"),
                tokenURL: try HTTPURL(input.text("tokenURL")), try RSASecretKey(pem: Array(input.text("key").utf8)))
            let request = try account.tokenRequest(at: UnixTime(input.unsigned("now")))
            return ["form": .string(String(decoding: request.body, as: UTF8.self))]
        },
        VectorRunner("push", "vapid") { input in
            let key = try VAPIDKey(P256SecretKey(input.bytes("key")), contact: input.text("contact"))
            let field = try key.authorization(
                for: HTTPURL(input.text("endpoint")), issuedAt: UnixTime(input.unsigned("issuedAt")))
            return ["authorization": .string(field)]
        },
        VectorRunner("push", "web-push-seal") { input in
            let subscription = try PushSubscription(
                endpoint: HTTPURL("https://push.example.net/"), key: P256PublicKey(input.bytes("publicKey")),
                secret: input.bytes("secret"))
            let (key, salt) = (try input.bytes("senderKey"), try input.bytes("salt"))
            return try brokenRule("too-long") {
                let body = try WebPushEncryption.seal(input.bytes("plaintext"), for: subscription) { count in
                    count == salt.count ? salt : key
                }
                return ["body": .hexadecimal(body)]
            }
        },
        VectorRunner("push", "web-push-open") { input in
            let key = try P256SecretKey(input.bytes("key"))
            return try brokenRule("authentication") {
                let text = try WebPushEncryption.open(input.bytes("body"), key: key, secret: input.bytes("secret"))
                return ["plaintext": .hexadecimal(text)]
            }
        },
        VectorRunner("push", "collapse-id") { input in
            let id = CollapseID(
                secret: try input.bytes("secret"), identity: try input.text("identity"), topic: try input.text("topic"),
                key: try input.text("key"))
            return ["id": .string(id.text)]
        },
        VectorRunner("push", "notify") { try notified($0) },
        VectorRunner("push", "answer") { try answered($0) },
    ]

    private static func brokenRule(_ name: String, _ body: () throws -> JSONObject) throws -> JSONObject {
        do {
            return try body()
        } catch is CryptoFault {
            throw BrokenRule(name: name)
        }
    }

    private static func notified(_ input: VectorInput) throws -> JSONObject {
        var query = ["platform", "token"].map { (name: $0, value: (try? input.text($0)) ?? "") }
        if let appData = try input.optionalText("appData") { query.append((name: "app_data", value: appData)) }
        let request: NotifyRequest
        do {
            request = try NotifyRequest(query: query, body: Array(input.text("body").utf8))
        } catch let fault as NotifyFault {
            throw BrokenRule(name: fault.rule)
        }
        let now = UnixTime(1_700_000_000)
        let lifetime = request.template.lifetime
        let message = PushMessage(request.content, .reply, expires: now.adding(seconds: lifetime))
        let fcm = FCMPush(message, token: request.token, platform: request.platform, at: now)
        return [
            "type": .string(request.content.type), "lifetime": .unsigned(lifetime),
            "apns": .string(String(decoding: APNsPush(message).body, as: UTF8.self)),
            "fcm": .string(String(decoding: fcm.body, as: UTF8.self)),
            "fcmBytes": .integer(FCMPush.dataCount(of: request.content.object)),
        ]
    }

    private static func answered(_ input: VectorInput) throws -> JSONObject {
        let (status, body) = (Int(clamping: try input.unsigned("status")), Array(try input.text("body").utf8))
        let retryAfter = try input.optionalText("retryAfter")
        let verdict: PushVerdict =
            switch try input.text("provider") {
            case "apns": APNsAnswer(status: status, body: body).verdict
            case "fcm": FCMAnswer(status: status, retryAfter: retryAfter, body: body).verdict
            default: WebPush.verdict(status: status, retryAfter: retryAfter, location: nil)
            }
        return [
            "verdict": .string(verdict.name), "since": .number(verdict.since), "retryAfter": .number(verdict.pause),
        ]
    }
}

extension PushVerdict {
    fileprivate var name: String {
        switch self {
        case .accepted: "accepted"
        case .badToken: "bad-token"
        case .gone: "gone"
        case .misconfigured: "misconfigured"
        case .foreign: "foreign"
        case .invalidRequest: "invalid-request"
        case .refused: "refused"
        case .unauthorized: "unauthorized"
        case .tooLarge: "too-large"
        case .credentialExpired: "credential-expired"
        case .credentialRefused(_, mayBeTheConnection: true): "credential-or-connection"
        case .credentialRefused: "credential-refused"
        case .credentialTooNew: "credential-too-new"
        case .deviceBusy: "device-busy"
        case .quotaExceeded: "quota-exceeded"
        case .unavailable, .outage, .paused, .unanswered, .untrusted: "unavailable"
        case .connectionEnded: "connection-ended"
        }
    }

    fileprivate var since: UInt64? {
        if case .gone(let since) = self { since } else { nil }
    }

    fileprivate var pause: UInt64? {
        switch self {
        case .deviceBusy(let seconds), .unavailable(_, let seconds): seconds
        case .quotaExceeded(let seconds), .paused(_, let seconds): seconds
        default: nil
        }
    }
}
