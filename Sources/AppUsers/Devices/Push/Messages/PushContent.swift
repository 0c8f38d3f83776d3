package import LightningCoding

/// What a notification plugin on a phone reads: a type, a payload, and data of the app's own.
///
/// Source: Breez's notification plugins for iOS and Android (`notification_type`, `notification_payload`, `app_data`).
package struct PushContent: Hashable, Sendable {
    /// The type: `lnurlpay_info`.
    package let type: String
    /// The title that iOS shows until its extension has replaced it.
    package let title: String
    /// The payload, which the device gets as JSON in a text.
    package var payload: JSONObject
    /// Data that the sender of the notification passes to the app.
    package let appData: String?

    package init(type: String, title: String, payload: JSONObject, appData: String? = nil) {
        self.type = type
        self.title = title
        self.payload = payload
        self.appData = appData
    }

    package var object: JSONObject {
        var object: JSONObject = [
            "notification_type": .string(type),
            "notification_payload": .string(JSONValue.object(payload).serialized()),
        ]
        if let appData { object.append("app_data", .string(appData)) }
        return object
    }

    /// The content without what can be left out, as little of it as necessary; nil when it still does not fit.
    ///
    /// First the verify URL goes, which only saves a poll, then the comment. Nothing is truncated.
    ///
    /// - Parameter fits: whether a content, serialized, is small enough for the provider.
    package func fitted(_ fits: (PushContent) -> Bool) -> PushContent? {
        var content = self
        if fits(content) { return content }
        for member in ["verify_url", "comment"] where content.payload[member] != nil {
            content.payload[member] = nil
            if fits(content) { return content }
        }
        return nil
    }

    /// The forms that notification plugins read. On iOS the extension runs only for an alert with a text and
    /// `mutable-content`.
    package var form: PushForm {
        let texts = object
        var apns: JSONObject = ["aps": ["alert": ["title": .string(title)], "mutable-content": 1]]
        apns.append(texts)
        return PushForm(apns: apns, kind: .alert, data: texts, web: texts, isUrgent: true)
    }
}
