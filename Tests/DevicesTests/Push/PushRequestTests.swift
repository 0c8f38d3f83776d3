import Devices
import LightningCoding
import LightningCrypto
import OutboundHTTP
import PushProviders
import ResponderModel
import Testing

@Suite("Requests to push providers", .timeLimit(.minutes(5)))
struct PushRequestTests {
    private let server: HTTPURL

    init() throws {
        server = try HTTPURL("https://127.0.0.1:8443")
    }

    @Test("APNs gets token, topic, kind, urgency and end; an id for replacing only if there is one")
    func apns() throws {
        let device = try #require(APNsToken("AB" + String(repeating: "0", count: 62)))
        let request = try PushFixture.message().apnsRequest(
            to: device, topic: "com.example.wallet", authorization: "a.b.c", at: server, timeout: .seconds(10))
        #expect(request.url.text == "https://127.0.0.1:8443/3/device/ab" + String(repeating: "0", count: 62))
        #expect(
            request.headers.map { "\($0.name): \($0.value)" } == [
                "authorization: bearer a.b.c", "apns-topic: com.example.wallet", "apns-push-type: alert",
                "apns-priority: 10", "apns-expiration: 1700000030", "Content-Type: application/json",
            ])
        #expect(request.headers[0].isSecret)
        let silent = PushMessage(
            PushForm(apns: [:], kind: .background, data: [:], web: [:], isUrgent: false), .alert,
            expires: PushFixture.now, collapseID: CollapseID("order-7"))
        let other = try silent.apnsRequest(
            to: device, topic: "x", authorization: "y", at: server, timeout: .seconds(10))
        #expect(other.headers.first(named: "apns-priority") == "5")
        #expect(other.headers.first(named: "apns-push-type") == "background")
        #expect(other.headers.first(named: "apns-collapse-id") == "order-7")
    }

    @Test("A token of APNs is 64 to 200 hexadecimal digits")
    func apnsTokens() {
        for count in [64, 66, 200] { #expect(APNsToken(String(repeating: "f", count: count)) != nil) }
        for text in [
            "", String(repeating: "f", count: 62), String(repeating: "f", count: 65),
            String(repeating: "f", count: 202),
        ] {
            #expect(APNsToken(text) == nil)
        }
        #expect(APNsToken(String(repeating: "g", count: 64)) == nil)
    }

    @Test("FCM gets texts only, an end counted from now, and for iOS the part of APNs")
    func fcm() throws {
        let message = PushFixture.message(["amount": 1000, "reply_url": "https://a"], collapseID: CollapseID("x"))
        let push = FCMPush(message, token: "t", platform: .android, at: PushFixture.now.adding(seconds: 10))
        let json = try JSONValue(parsing: push.body)["message"]
        #expect(json?["token"] == "t")
        #expect(json?["android"] == ["priority": "high", "ttl": "20s", "collapse_key": "x"])
        #expect(json?["apns"] == nil)
        #expect(json?["data"]?.object?.members.allSatisfy { $0.value.string != nil } == true)
        let late = FCMPush(message, token: "t", platform: .ios, at: PushFixture.now.adding(seconds: 31))
        let apns = try JSONValue(parsing: late.body)["message"]?["apns"]
        #expect(apns?["headers"]?["apns-expiration"] == "1700000030")
        #expect(apns?["headers"]?["apns-collapse-id"] == "x")
        #expect(try JSONValue(parsing: late.body)["message"]?["android"]?["ttl"] == "0s")
        let request = try push.request(project: "wallet-1", authorization: "ya29", at: server, timeout: .seconds(10))
        #expect(request.url.text == "https://127.0.0.1:8443/v1/projects/wallet-1/messages:send")
        #expect(request.headers.first(named: "authorization") == "Bearer ya29")
    }

    @Test(
        "FCM gets a collapse key only where messages follow each other, since it keeps four of them; APNs gets the id")
    func collapse() throws {
        func json(_ replacesEarlier: Bool) throws -> JSONValue? {
            let message = PushMessage(
                PushFixture.content("payment_received", [:]), .alert, expires: PushFixture.now,
                collapseID: CollapseID("x"),
                replacesEarlier: replacesEarlier)
            return try JSONValue(
                parsing: FCMPush(message, token: "t", platform: .ios, at: PushFixture.now).body)["message"]
        }
        for replacesEarlier in [true, false] {
            let message = try json(replacesEarlier)
            #expect(message?["android"]?["collapse_key"] == (replacesEarlier ? "x" : nil))
            #expect(message?["apns"]?["headers"]?["apns-collapse-id"] == "x")
        }
        #expect(NotifyTemplate.all.filter(\.replacesEarlier).map(\.type) == ["swap_updated"])
    }

    @Test("Google gets a signed form for an access token")
    func accessToken() throws {
        let account = ServiceAccount(
            project: "wallet-1", email: "push@example.iam.gserviceaccount.com", keyID: "f00d",
            tokenURL: try HTTPURL("https://oauth2.googleapis.com/token"),
            try RSASecretKey(pem: Array(PublishedKeys.rsa.utf8)))
        let request = try account.tokenRequest(at: PushFixture.now)
        #expect(request.url.text == "https://oauth2.googleapis.com/token")
        let start = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
        let form = String(decoding: request.body, as: UTF8.self)
        #expect(form.hasPrefix(start))
        let parts = form.dropFirst(start.count).split(separator: ".").map(String.init)
        #expect(parts.count == 3)
        #expect(try Base64URL.decode(parts[0]) == Array(#"{"alg":"RS256","typ":"JWT","kid":"f00d"}"#.utf8))
        #expect(
            try String(decoding: Base64URL.decode(parts[1]), as: UTF8.self) == """
                {"iss":"push@example.iam.gserviceaccount.com","scope":"https://www.googleapis.com/auth/firebase.messaging",\
                "aud":"https://oauth2.googleapis.com/token","iat":1700000000,"exp":1700003600}
                """)
        // With the key of RFC 7515, A.2, by another implementation.
        #expect(
            parts[2]
                == "DIhK4IPiiJWjgo8Vp6CTfx1S08RSyz1v3KMMgbxcD14G9LbZbUZEWQl_zuZj9A2BS417u-Rk5o2kTyQb8HfSeg9QRp1yq9VeydMax69KzlZK0v"
                + "8yF0mU146Avv9UMHLkAM_rlo4sKZ7hBUNY4zjKg87B9_9uPRmz21bnbeFyxgJvLZg7C8aaaGNSSh1WUBdXX07aZ-alt4vm2Jifl8umtaMtbWe_"
                + "pLqBd16ZSOQ04m4aqI2ApGLkbItGQHPZjFdO7DpmDGfhWlTABO_6NApBHohP_qepBUfqt7HqaEKUa8-GXhLqvapMFtEzhfxyrDVRqnwGTd07lZ"
                + "B1iTIOhz1G1Q")
    }

    @Test("Web Push gets an end, an urgency and an encrypted body that its receiver opens")
    func webPush() throws {
        let subscription = try PushFixture.subscription()
        let request = try WebPush.request(
            PushFixture.message(collapseID: CollapseID("x")), to: subscription, authorization: "vapid t=a, k=b",
            at: PushFixture.now, timeout: .seconds(10))
        #expect(request.url == subscription.endpoint)
        #expect(request.headers.first(named: "ttl") == "30")
        #expect(request.headers.first(named: "urgency") == "high")
        #expect(request.headers.first(named: "content-encoding") == "aes128gcm")
        #expect(request.headers.first(named: "authorization") == "vapid t=a, k=b")
        #expect(request.headers.filter(\.isSecret).map(\.name) == ["Authorization"])
        #expect(throws: WebPushFault.field(.invalidValue)) {
            try WebPush.request(
                PushFixture.message(), to: subscription, authorization: "a\nb", at: PushFixture.now,
                timeout: .seconds(1))
        }
        let topic = try #require(request.headers.first(named: "topic"))
        #expect(topic.utf8.count == 32)
        let text = try WebPushEncryption.open(request.body, key: PushFixture.key(), secret: subscription.secret)
        #expect(
            String(decoding: text, as: UTF8.self)
                == #"{"notification_type":"lnurlpay_invoice","notification_payload":"{\"reply_url\":\"https://a/r/1\"}"}"#
        )
    }

    @Test("Two messages with the same plaintext have nothing in common but the header's form")
    func freshness() throws {
        let subscription = try PushFixture.subscription()
        let one = try WebPushEncryption.seal([1, 2, 3], for: subscription)
        let other = try WebPushEncryption.seal([1, 2, 3], for: subscription)
        #expect(one[..<16] != other[..<16])
        #expect(one[21..<86] != other[21..<86])
        #expect(one[86...] != other[86...])
    }

    @Test("A subscription is what a browser makes of it: an https endpoint, a point of P-256, 16 bytes")
    func subscriptions() throws {
        let point = Base64URL.encode(try PushFixture.key().publicKey.point)
        func read(_ endpoint: String, _ key: String, _ secret: String) throws(SubscriptionFault) -> PushSubscription {
            let json: JSONValue = [
                "endpoint": .string(endpoint), "expirationTime": .null,
                "keys": ["p256dh": .string(key), "auth": .string(secret)],
            ]
            return try PushSubscription(token: Base64URL.encode(json.serializedBytes()))
        }
        let secret = Base64URL.encode([UInt8](repeating: 7, count: 16))
        #expect(try read("https://push.example.net/x", point, secret) == PushFixture.subscription())
        #expect(throws: SubscriptionFault.endpoint) { try read("http://push.example.net/x", point, secret) }
        #expect(throws: SubscriptionFault.endpoint) { try read("file:///etc/passwd", point, secret) }
        #expect(throws: SubscriptionFault.endpoint) {
            try read("https://a/" + String(repeating: "x", count: 1000), point, secret)
        }
        #expect(throws: SubscriptionFault.key) { try read("https://a/", String(point.dropLast(2)), secret) }
        #expect(throws: SubscriptionFault.secret) { try read("https://a/", point, "AAAA") }
        #expect(throws: SubscriptionFault.notJSON) { try PushSubscription(token: "****") }
    }
}

@Suite("Sizes of push messages", .timeLimit(.minutes(5)))
struct PushSizeTests {
    private let device = APNsToken(String(repeating: "a", count: 64)).map { PushAddress.apns($0, .production) }

    private func invoice(_ members: JSONObject) -> PushMessage {
        var payload: JSONObject = ["amount": 1000]
        payload.append(members)
        payload.append("reply_url", "https://a/r/1")
        return PushFixture.message(payload)
    }

    private func text(_ count: Int) -> JSONValue { .string(String(repeating: "x", count: count)) }

    @Test("An invoice request and its frame have the sizes that the providers count: 249 and 160 bytes")
    func frames() throws {
        let content = PushContent(
            type: "invoice_request", title: "Invoice request",
            payload: [
                "invoice_request": "", "offer": "",
                "reply_url": "https://nds.example.com/api/v1/response/18446744073709551615",
            ])
        #expect(FCMPush.dataCount(of: content.object) == 160)
        let message = PushMessage(content, .reply, expires: PushFixture.now)
        #expect(message.form.apnsBody.count == 249)
    }

    @Test("What does not fit loses its verify URL first, then its comment, and is refused then")
    func order() throws {
        let device = try #require(device)
        for target in [device, .fcm(token: "t", .android), .webPush(try PushFixture.subscription())] {
            let small = invoice(["comment": "c", "verify_url": "v"])
            #expect(small.fitted(for: target) == small)
            let withVerify = invoice(["comment": text(3000), "verify_url": text(1500)])
            #expect(
                withVerify.fitted(for: target)?.content?.payload.members.map(\.key) == [
                    "amount", "comment", "reply_url",
                ])
            let withBoth = invoice(["comment": text(4000), "verify_url": text(1500)])
            #expect(withBoth.fitted(for: target)?.content?.payload.members.map(\.key) == ["amount", "reply_url"])
            let zap = invoice(["nostr": text(4000)])
            #expect(zap.fitted(for: target) == nil)
        }
    }

    @Test("The largest message that fits is sent, and one byte more is not")
    func edges() throws {
        let target = PushAddress.fcm(token: "t", .android)
        let frame = FCMPush.dataCount(of: invoice(["nostr": ""]).form.data)
        #expect(invoice(["nostr": text(4096 - frame)]).fitted(for: target) != nil)
        #expect(invoice(["nostr": text(4097 - frame)]).fitted(for: target) == nil)
        let device = try #require(device)
        let body = invoice(["nostr": ""]).form.apnsBody.count
        #expect(invoice(["nostr": text(4096 - body)]).fitted(for: device) != nil)
        #expect(invoice(["nostr": text(4097 - body)]).fitted(for: device) == nil)
        let web = PushAddress.webPush(try PushFixture.subscription())
        let plain =
            frame + #"{"":"","":""}"#.utf8.count + #"\"\":1000,\"\":\"\",\"\":\"\""#.utf8.filter { $0 == 0x5C }.count
        #expect(invoice(["nostr": text(3993 - plain)]).fitted(for: web) != nil)
        #expect(invoice(["nostr": text(3994 - plain)]).fitted(for: web) == nil)
    }
}
