package import LightningCoding

package struct PushForm: Hashable, Sendable {
    package let apns: JSONObject
    package let kind: APNsPush.Kind
    /// The data for FCM, all of it texts.
    package let data: JSONObject
    /// What Android shows without the app: a member `notification` for FCM. Nil for data only.
    package let notification: JSONObject?
    package let web: JSONObject
    /// Whether a phone that sleeps is woken for it.
    package let isUrgent: Bool

    package init(
        apns: JSONObject, kind: APNsPush.Kind, data: JSONObject, notification: JSONObject? = nil, web: JSONObject,
        isUrgent: Bool
    ) {
        self.apns = apns
        self.kind = kind
        self.data = data
        self.notification = notification
        self.web = web
        self.isUrgent = isUrgent
    }

    /// Whether the target's provider takes it: see ``PushLimits``.
    func fits(_ target: PushTarget) -> Bool {
        switch target {
        case .apns: apnsBody.count <= PushLimits.apnsBody
        case .fcm: FCMPush.dataCount(of: data) <= PushLimits.fcmData
        case .webPush: webPlaintext.count <= PushLimits.webPushPlaintext
        }
    }

    var apnsBody: [UInt8] { JSONValue.object(apns).serializedBytes() }
    var webPlaintext: [UInt8] { JSONValue.object(web).serializedBytes() }
}

extension PushContent {
    /// The forms that notification plugins read. On iOS the extension runs only for an alert with a text and
    /// `mutable-content`.
    package var form: PushForm {
        let texts = object
        var apns: JSONObject = ["aps": ["alert": ["title": .string(title)], "mutable-content": 1]]
        apns.append(texts)
        return PushForm(apns: apns, kind: .alert, data: texts, web: texts, isUrgent: true)
    }
}
