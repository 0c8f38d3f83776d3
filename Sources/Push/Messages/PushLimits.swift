/// The largest messages that providers take, in bytes after serialising.
public enum PushLimits {
    /// The body of a request to APNs.
    public static let apnsBody = 4096
    /// Keys and values of a message's data at FCM together.
    public static let fcmData = 4096
    /// The plaintext of Web Push: one record of 4096 bytes less header, delimiter and tag (RFC 8291, section 4).
    public static let webPushPlaintext = 4096 - 103
}

extension PushMessage {
    /// The message as it fits into what the target's provider takes; nil when it does not.
    ///
    /// - Parameter fetchURL: where the app can fetch the payload; nil for an app that does not.
    public func fitted(for target: PushTarget, fetchURL: String? = nil) -> PushMessage? {
        if form.fits(target) { return self }
        return content?.fitted(fetchURL: fetchURL) { $0.form.fits(target) }.map {
            PushMessage($0, priority, expires: expires, collapseID: collapseID, replacesEarlier: replacesEarlier)
        }
    }
}
