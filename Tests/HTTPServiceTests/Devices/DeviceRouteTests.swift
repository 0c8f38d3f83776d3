import LedgerRecords
@testable import Devices
import HTTPTypes
import LightningCoding
import LightningCrypto
import OutboundHTTP
import ResponderModel
import SQLiteLedger
import Testing

@Suite("What registered devices ask over HTTP", .timeLimit(.minutes(5)))
struct DeviceRouteTests {
    @Test("A wallet registers a device by a signed statement, and the device is known by its secret from then on")
    func registration() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        let stored = try #require(try await fixture.service.ledger.device(phone.id))
        #expect(stored.profile.owner == fixture.wallet.publicKey)
        #expect(stored.profile.secretHash == phone.secret.hash)
        #expect(
            try await fixture.ask(.get, "/v1/notifications/unread", by: phone.secret).body
                == #"{"unread":0,"seq":0,"live":true}"#)
        let stranger = try DeviceSecret(random: SystemRandom.bytes)
        for secret in [stranger, nil] {
            let answer = try await fixture.ask(.get, "/v1/notifications", by: secret)
            #expect(answer.status == 401)
            #expect(try answer.json()["error"] == "unauthorized")
            #expect(answer.headers[.wwwAuthenticate] == "Bearer")
        }
    }

    @Test("A wallet learns for whom it must sign, and at what time")
    func info() async throws {
        let fixture = try await DeviceFixture()
        let now = fixture.service.clock.now.seconds
        #expect(try await fixture.ask(.get, "/v1/info").body == #"{"audience":"pay.example","server_time":\#(now)}"#)
    }

    @Test("An app learns the key that it needs for a subscription of Web Push")
    func vapidKey() async throws {
        let key = try VAPIDKey(
            P256SecretKey([UInt8](repeating: 0x42, count: 32)), contact: "mailto:push@example.com")
        let fixture = try await DeviceFixture(webPush: try WebPushProvider(key, client: HTTPClient.Configuration()))
        #expect(try await fixture.ask(.get, "/v1/info").json()["vapid_key"]?.string == key.publicText)
    }

    @Test("A subscription that nothing can be sent to is not registered: its endpoint is not https, or its key none")
    func subscriptions() async throws {
        let fixture = try await DeviceFixture()
        let secret = try DeviceSecret(random: SystemRandom.bytes)
        let point = Base64URL.encode(try P256SecretKey([UInt8](repeating: 0x42, count: 32)).publicKey.point)
        let none = Base64URL.encode([4] + [UInt8](repeating: 7, count: 64))
        let auth = Base64URL.encode([UInt8](repeating: 8, count: 16))
        for (endpoint, key, status) in [
            ("https://push.example/x", point, 401), ("http://push.example/x", point, 400),
            ("https://push.example/x", none, 400),
        ] {
            let signed = try fixture.registration("phone", secret: secret, token: DeviceFixture.token("a"))
            var object = try #require(signed.object)
            object["platform"] = "webpush"
            object["push_token"] = .string("\(endpoint) \(key) \(auth)")
            let answer = try await fixture.ask(.put, "/v1/devices/phone", .object(object))
            // What is read is found to be signed as something else.
            #expect(answer.status == status)
            if status == 400 { #expect(try answer.json()["message"]?.string?.contains("push_token") == true) }
        }
    }

    @Test("A registration that nobody has signed, or at another time, is refused with 401, a malformed one with 400")
    func refused() async throws {
        let fixture = try await DeviceFixture()
        let secret = try DeviceSecret(random: SystemRandom.bytes)
        let body = try fixture.registration("phone", secret: secret, token: DeviceFixture.token("a"))
        let moved = try await fixture.ask(.put, "/v1/devices/tablet", body)
        #expect(moved.status == 401)
        #expect(try moved.json()["error"] == "invalid_signature")
        fixture.service.clock.advance(seconds: 601)
        #expect(try await fixture.ask(.put, "/v1/devices/phone", body).json()["error"] == "invalid_time")
        for (path, body) in [("/v1/devices/phone", ["app": "x"]), ("/v1/devices/a.b", body)] as [(String, JSONValue)] {
            let answer = try await fixture.ask(.put, path, body)
            #expect(answer.status == 400)
            #expect(try answer.json()["error"] == "invalid_request")
        }
        let large = try await fixture.ask(.put, "/v1/devices/phone", .string(String(repeating: "x", count: 20_000)))
        #expect(large.status == 413)
    }

    @Test("An older registration brings nothing back: neither a former token and secret, nor a removed device")
    func replays() async throws {
        let fixture = try await DeviceFixture()
        let secrets = try (0..<2).map { _ in try DeviceSecret(random: SystemRandom.bytes) }
        let bodies = try zip(secrets, ["a", "b"] as [Character]).map { secret, digit in
            try fixture.registration("phone", secret: secret, token: DeviceFixture.token(digit))
        }
        func put(_ number: Int) async throws -> Answer {
            try await fixture.ask(.put, "/v1/devices/phone", bodies[number])
        }
        for number in 0..<2 { #expect(try await put(number).status == 200) }
        let replay = try await put(0)
        #expect(replay.status == 401)
        #expect(try replay.json()["error"] == "invalid_time")
        #expect(try await fixture.ask(.get, "/v1/pending", by: secrets[1]).status == 200)
        #expect(try await fixture.ask(.delete, "/v1/devices/phone", by: secrets[1]).status == 204)
        for number in 0..<2 { #expect(try await put(number).status == 401) }
        #expect(try await fixture.ask(.get, "/v1/pending", by: secrets[1]).status == 401)
    }

    @Test("An owner has ten devices at the most, and removes any of them from any other")
    func removal() async throws {
        let fixture = try await DeviceFixture()
        var phones: [DeviceFixture.Phone] = []
        for digit in "0123456789" { phones.append(try await fixture.phone("phone-\(digit)", digit)) }
        let secret = try DeviceSecret(random: SystemRandom.bytes)
        let body = try fixture.registration("more", secret: secret, token: DeviceFixture.token("a"))
        let refused = try await fixture.ask(.put, "/v1/devices/more", body)
        #expect(refused.status == 409)
        #expect(try refused.json()["error"] == "too_many_devices")
        for _ in 1...2 {
            #expect(try await fixture.ask(.delete, "/v1/devices/phone-3", by: phones[0].secret).status == 204)
        }
        #expect(try await fixture.ask(.get, "/v1/preferences", by: phones[3].secret).status == 401)
        #expect(try await fixture.ask(.put, "/v1/devices/more", body).status == 200)
    }

    @Test("The notification center lists, marks and removes, and only what is the owner's own")
    func center() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        let stranger = try await fixture.phone("phone", "b", by: SecretKey([UInt8](repeating: 0x44, count: 32)))
        for number in 1...3 as ClosedRange<UInt64> { try await fixture.center.tell(fixture.message(number)) }
        let page = try await fixture.ask(.get, "/v1/notifications?limit=2", by: phone.secret).json()
        #expect(page["data"]?.array?.compactMap { $0["id"]?.string } == ["m3", "m2"])
        #expect(page["next"] == "2")
        #expect(page["unread"] == 3)
        let rest = try await fixture.ask(.get, "/v1/notifications?after=2&unread=1", by: phone.secret).json()
        #expect(rest["data"]?.array?.compactMap { $0["id"]?.string } == ["m1"])
        #expect(try await fixture.ask(.get, "/v1/notifications?limit=0", by: phone.secret).status == 400)
        #expect(try await fixture.ask(.get, "/v1/notifications", by: stranger.secret).json()["data"] == [])

        let foreign = try await fixture.ask(
            .patch, "/v1/notifications", ["ids": ["m1"], "read": true], by: stranger.secret)
        #expect(foreign.body == #"{"unread":0}"#)
        let marked = try await fixture.ask(
            .patch, "/v1/notifications", ["ids": ["m1"], "read": true], by: phone.secret)
        #expect(marked.body == #"{"unread":2}"#)
        #expect(
            try await fixture.ask(.patch, "/v1/notifications", ["read_up_to": 3], by: phone.secret).body
                == #"{"unread":0}"#)
        #expect(try await fixture.ask(.delete, "/v1/notifications/m1", by: stranger.secret).status == 204)
        #expect(try await fixture.ask(.get, "/v1/notifications", by: phone.secret).json()["data"]?.array?.count == 3)
        for _ in 1...2 {
            #expect(try await fixture.ask(.delete, "/v1/notifications/m1", by: phone.secret).status == 204)
        }
        #expect(try await fixture.ask(.get, "/v1/notifications", by: phone.secret).json()["data"]?.array?.count == 2)
    }

    @Test("A list that has not changed is answered with 304, compared weakly")
    func tags() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        for path in ["/v1/notifications", "/v1/notifications/unread"] {
            let tag = try #require(try await fixture.ask(.get, path, by: phone.secret).headers[.eTag])
            for known in [tag, "W/\(tag)", "\"x\", \(tag)"] {
                let answer = try await fixture.ask(.get, path, by: phone.secret, headers: [.ifNoneMatch: known])
                #expect(answer.status == 304 && answer.body == "" && answer.headers[.eTag] == tag)
            }
            #expect(try await fixture.ask(.get, path, headers: [.ifNoneMatch: tag]).status == 401)
        }
        let tag = try #require(try await fixture.ask(.get, "/v1/notifications", by: phone.secret).headers[.eTag])
        try await fixture.center.tell(fixture.message(1))
        let changed = try await fixture.ask(.get, "/v1/notifications", by: phone.secret, headers: [.ifNoneMatch: tag])
        #expect(changed.status == 200)
    }

    @Test("Preferences are kept as they are put, and those of security cannot be switched off")
    func preferences() async throws {
        let fixture = try await DeviceFixture()
        let phone = try await fixture.phone()
        #expect(
            try await fixture.ask(.get, "/v1/preferences", by: phone.secret).body
                == #"{"push":true,"types":{}}"#)
        let chosen: JSONValue = ["push": true, "types": ["payment_received": "silent"]]
        let put = try await fixture.ask(.put, "/v1/preferences", chosen, by: phone.secret)
        #expect(try put.json() == chosen)
        #expect(try await fixture.ask(.get, "/v1/preferences", by: phone.secret).json() == chosen)
        let refused = try await fixture.ask(.put, "/v1/preferences", ["types": ["security": "off"]], by: phone.secret)
        #expect(refused.status == 400)
        #expect(try await fixture.ask(.get, "/v1/preferences", by: phone.secret).json() == chosen)
    }

    @Test("A browser of any site may ask, since the secret goes into a field")
    func browsers() async throws {
        let fixture = try await DeviceFixture()
        let preflight = try await fixture.ask(.options, "/v1/notifications")
        #expect(preflight.status == 204)
        #expect(preflight.headers[.accessControlAllowHeaders] == "*, Authorization")
        #expect(preflight.headers[.accessControlAllowMethods]?.contains("PATCH") == true)
        let answer = try await fixture.ask(.get, "/v1/notifications")
        #expect(answer.headers[.accessControlAllowOrigin] == "*")
    }
}
