package import ResponderModel
package import LightningCoding
package import OutboundHTTP

/// A message as FCM takes it (HTTP v1).
///
/// Source: Google, `projects.messages` of the FCM REST reference; breez/notify, `notify/services/fcm.go`.
package struct FCMPush: Hashable, Sendable {
    package let body: [UInt8]

    /// A message: data, all of it texts, and perhaps what is shown without the app.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - token: the device's token at FCM.
    ///   - platform: iOS devices get the part that FCM passes on to APNs too.
    ///   - now: from when the message's lifetime counts.
    package init(_ message: PushMessage, token: String, platform: PushPlatform, at now: UnixTime) {
        var inner: JSONObject = ["token": .string(token), "data": .object(message.form.data)]
        var android: JSONObject = [
            "priority": message.form.isUrgent && message.priority != .catchUp ? "high" : "normal",
            "ttl": .string("\(min(message.expires.seconds(since: now), Self.longestLifetime))s"),
        ]
        // FCM keeps messages of four keys for a device that is off, and drops those of others.
        if message.replacesEarlier, let id = message.collapseID { android.append("collapse_key", .string(id.text)) }
        if let notification = message.form.notification { android.append("notification", .object(notification)) }
        inner.append("android", .object(android))
        if platform == .ios { inner.append("apns", Self.apns(message)) }
        body = JSONValue.object(["message": .object(inner)]).serializedBytes()
    }

    private static func apns(_ message: PushMessage) -> JSONValue {
        var headers: JSONObject = [
            "apns-priority": "10", "apns-push-type": "alert",
            "apns-expiration": .string(String(message.expires.seconds)),
        ]
        if let id = message.collapseID { headers.append("apns-collapse-id", .string(id.text)) }
        return ["headers": .object(headers), "payload": ["aps": message.form.apns["aps"] ?? .null]]
    }

    /// The longest lifetime that FCM takes: four weeks, in seconds.
    static let longestLifetime: UInt64 = 2_419_200

    /// What FCM counts: the bytes of keys and values.
    package static func dataCount(of data: JSONObject) -> Int {
        data.members.reduce(0) { $0 + $1.key.utf8.count + ($1.value.string?.utf8.count ?? 0) }
    }

    /// The request that sends it.
    ///
    /// - Parameters:
    ///   - project: the project of the service account.
    ///   - authorization: an access token.
    ///   - server: where FCM is.
    ///   - timeout: how long FCM may take.
    /// - Throws: when the access token does not fit into a header field.
    package func request(
        project: String, authorization: String, at server: HTTPURL, timeout: Duration
    ) throws(HTTPFieldFault) -> HTTPRequest {
        HTTPRequest(
            .post, server.appendingPath("v1/projects/\(project)/messages:send"),
            headers: [try HTTPField("authorization", "Bearer " + authorization, isSecret: true), .jsonContent],
            body: body,
            timeout: timeout)
    }

    package static let serverText = "https://fcm.googleapis.com"
}
