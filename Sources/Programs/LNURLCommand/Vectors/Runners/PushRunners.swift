import ResponderModel
import Devices
import LightningCoding
import LightningCrypto

extension VectorRunner {
    static let push = [
        VectorRunner("push", "vapid") { input in
            let secret = try P256SecretKey(input.bytes("key"))
            let key = try VAPIDKey(secret, contact: input.text("contact"))
            let field = try key.authorization(
                for: HTTPURL(input.text("endpoint")), issuedAt: UnixTime(input.unsigned("issuedAt")))
            let parts = field.utf8.dropFirst("vapid t=".utf8.count).split(separator: UInt8(ascii: ","))
            guard field.begins(with: "vapid t="), parts.count == 2 else { throw BrokenRule(rule: "form") }
            return [
                "signedText": .string(try signedText(of: String(Substring(parts[0])), by: secret.publicKey)),
                "k": .string(String(Substring(parts[1].dropFirst(" k=".utf8.count)))),
            ]
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
        VectorRunner("push", "notify") { try notified($0) },
    ]

    /// What precedes the signature of a token, which must be one of the key.
    private static func signedText(of token: String, by key: P256PublicKey) throws -> String {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw BrokenRule(rule: "form") }
        let text = String(Substring(parts[0])) + "." + String(Substring(parts[1]))
        guard key.isValid(try Base64URL.decode(Substring(parts[2])), for: Array(text.utf8)) else {
            throw BrokenRule(rule: "signature")
        }
        return text
    }

    private static func brokenRule(_ name: String, _ body: () throws -> JSONObject) throws -> JSONObject {
        do {
            return try body()
        } catch is CryptoFault {
            throw BrokenRule(rule: name)
        }
    }

    private static func notified(_ input: VectorInput) throws -> JSONObject {
        var query = ["platform", "token"].map { (name: $0, value: (try? input.text($0)) ?? "") }
        if let appData = try input.optionalText("appData") { query.append((name: "app_data", value: appData)) }
        let request = try NotifyRequest(query: query, body: Array(input.text("body").utf8))
        let now = UnixTime(1_700_000_000)
        let lifetime = request.template.lifetime
        let message = PushMessage(request.content, .reply, expires: now.adding(seconds: lifetime))
        let fcm = FCMPush(message, token: request.token, platform: request.platform, at: now)
        return [
            "type": .string(request.content.type), "lifetime": .unsigned(lifetime),
            "apns": .string(String(decoding: message.form.apnsBody, as: UTF8.self)),
            "fcm": .string(String(decoding: fcm.body, as: UTF8.self)),
            "fcmBytes": .integer(FCMPush.dataCount(of: request.content.object)),
        ]
    }
}
