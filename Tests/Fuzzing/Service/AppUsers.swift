import Devices
import LightningCoding
import LightningFuzzing
import LightningCrypto
import Registrations
import ResponderCore
import ResponderModel

extension FuzzTarget {
    static let appUsers = [
        FuzzTarget("notification") { bytes in
            let reader = try NotificationReader(key: PayloadKey(deviceKey.get(), purpose: "test"))
            _ = try? reader.read(bytes)
            // The same encrypted.
            guard
                let sealed = try? SealedPayload(
                    sealing: bytes, for: deviceKey.get().publicKey, purpose: "test", ephemeral: deviceKey.get(),
                    nonce: [UInt8](repeating: 1, count: 12))
            else { return }
            let payload: JSONValue = [
                "cipher": .string(Base64.encode(sealed.ciphertext)), "iv": .string(Hexadecimal.encode(sealed.nonce)),
                "tag": .string(Hexadecimal.encode(sealed.tag)),
                "publicKey": .string(Hexadecimal.encode(sealed.sender.bytes)),
            ]
            _ = try? reader.read(JSONValue.object(["notification_payload": payload]).serializedBytes())
        },
        FuzzTarget("registration") { bytes in
            guard let json = try? JSONValue(parsing: bytes), let request = try? BreezRequest(json: json) else { return }
            try require((try? BreezRequest(json: request.json)) == request, "a request is read as it was written")
            let now = UnixTime(UInt64(clamping: request.time))
            for operation in BreezOperation.allCases {
                let signed = try? BreezRequest.signed(
                    for: operation, webhook: request.webhook, username: request.username, offer: request.offer,
                    at: now, by: deviceKey.get())
                guard let signed else { continue }
                _ = try? BreezStatement(
                    operation, signed, by: deviceKey.get().publicKey.hexadecimal, at: "example.com", now: now)
            }
        },
        FuzzTarget("device-statement") { bytes in
            guard let json = try? JSONValue(parsing: bytes), let members = try? JSONMembers<DeviceStatementFault>(json)
            else { return }
            guard let install = InstallID("install") else { return }
            _ = try? DeviceStatement(members, of: install)
        },
        FuzzTarget("device-request") { bytes in
            guard let id = WakeID("wake") else { return }
            if let order = try? WakeOrder(bytes, at: now, named: id) {
                let again = try? WakeOrder(JSONValue.object(order.json).serializedBytes(), at: now, named: id)
                try require(again == order, "an order is read as it was written")
            }
            _ = try? WakeAcknowledgement(bytes)
            _ = try? ReceivedWake(push: bytes, for: deviceKey.get())
            // What the device decrypts from it.
            try requireRoundTrip(bytes, { try WakeMessage($0) }, \.plaintext)
            _ = try? LegacyWakeMessage(bytes)
            guard let json = try? JSONValue(parsing: bytes), let members = try? JSONMembers<DeviceMemberFault>(json)
            else { return }
            _ = try? MessagePreferences(members)
        },
        FuzzTarget("notify") { bytes in
            let query = [(name: "platform", value: "android"), (name: "token", value: "token")]
            guard let request = try? NotifyRequest(query: query, body: bytes) else { return }
            let again = try? NotifyRequest(query: query, body: JSONValue.object(request.body).serializedBytes())
            try require(again == request, "a request is read as it was written")
        },
        FuzzTarget("web-push-subscription") { bytes in
            guard let json = try? JSONValue(parsing: bytes) else { return }
            _ = try? PushSubscription(json)
        },
        FuzzTarget("web-push-body") { bytes in
            let secret = [UInt8](repeating: 5, count: 16)
            _ = try? WebPushEncryption.open(bytes, key: browserKey.get(), secret: secret)
        },
        FuzzTarget("push-answer") { bytes in
            for status in [200, 400, 401, 403, 404, 410, 413, 429, 500] {
                _ = PushVerdict.fcm(status: status, body: bytes)
                _ = PushVerdict.apns(status: status, body: bytes)
                guard let token = try? AccessToken(status: status, body: bytes, at: now) else { continue }
                try require(token.renewAt >= now, "a token is used now")
            }
        },
        FuzzTarget("device-reply") { bytes in
            let inspection = ReplyInspection(network: .bitcoin, now: now)
            _ = try? inspection.answer(in: bytes, to: .info(callback: callback.get()))
            _ = try? inspection.answer(in: bytes, to: .verify(PaymentHash([UInt8](repeating: 2, count: 32))))
        },
        FuzzTarget("settings") { bytes in
            guard let json = try? JSONValue(parsing: bytes) else { return }
            _ = try? AccountSettings(json: json, defaultBackend: nil)
            _ = try? DomainSettings(json: json)
        },
    ]

    private static let now = UnixTime(1_760_000_000)
    private static let callback = Result { try HTTPURL("https://example.com/pay") }
    private static let deviceKey = Result { try SecretKey([UInt8](repeating: 0x44, count: 32)) }
    private static let browserKey = Result { try P256SecretKey([UInt8](repeating: 0x45, count: 32)) }
}
