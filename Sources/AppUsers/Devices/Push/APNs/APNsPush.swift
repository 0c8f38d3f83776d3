package import LightningCoding
package import OutboundHTTP

/// A notification as APNs takes it.
///
/// Source: Apple, "Sending notification requests to APNs".
package struct APNsPush: Hashable, Sendable {
    /// The JSON body, at most ``PushLimits/apnsBody`` bytes.
    package var body: [UInt8]
    package var kind: Kind
    /// Until when APNs tries to deliver it.
    package var expires: UnixTime
    package var collapseID: CollapseID?

    /// The values of `apns-push-type` that are used here.
    package enum Kind: String, Sendable {
        /// Shows something, or runs the app's extension.
        case alert
        /// Wakes the app for some seconds.
        case background

        /// A background push must not be urgent.
        var priority: String { self == .alert ? "10" : "5" }
    }

    package init(body: [UInt8], kind: Kind, expires: UnixTime, collapseID: CollapseID? = nil) {
        self.body = body
        self.kind = kind
        self.expires = expires
        self.collapseID = collapseID
    }

    package init(_ message: PushMessage) {
        self.init(
            body: message.form.apnsBody, kind: message.form.kind, expires: message.expires,
            collapseID: message.collapseID)
    }

    /// A message, without what does not fit; nil when too much is left.
    init?(fitting message: PushMessage, _ target: PushTarget) {
        self.init(message)
        guard body.count > PushLimits.apnsBody else { return }
        guard let shorter = message.fitted(for: target) else { return nil }
        self.init(shorter)
    }

    /// The request that sends it.
    ///
    /// - Parameters:
    ///   - device: the device.
    ///   - topic: the bundle id of the app.
    ///   - authorization: the token of the app's key.
    ///   - server: where APNs is.
    ///   - timeout: how long APNs may take.
    /// - Throws: when the topic or the token does not fit into a header field.
    package func request(
        to device: APNsToken, topic: String, authorization: String, at server: HTTPURL, timeout: Duration
    ) throws(HTTPFieldFault) -> HTTPRequest {
        var fields = [
            try HTTPField("authorization", "bearer " + authorization, isSecret: true),
            try HTTPField("apns-topic", topic),
            try HTTPField("apns-push-type", kind.rawValue),
            try HTTPField("apns-priority", kind.priority),
            try HTTPField("apns-expiration", String(expires.seconds)),
            .jsonContent,
        ]
        if let collapseID { fields.append(try HTTPField("apns-collapse-id", collapseID.text)) }
        return HTTPRequest(
            .post, server.appendingPath("3/device/" + device.text), headers: fields, body: body, timeout: timeout)
    }
}

extension APNsEnvironment {
    package var serverText: String {
        switch self {
        case .production: "https://api.push.apple.com"
        case .sandbox: "https://api.sandbox.push.apple.com"
        }
    }
}
