package import ResponderModel

package struct PushSettings: SettingGroup {
    package let apnsKeyFile = Setting<String?>(
        "push.apns-key-file",
        "The .p8 file (mode 0600) with the key that Apple gave out for push messages. APNs is disabled if unset."
    )
    package let apnsKeyID = Setting<String?>(
        "push.apns-key-id", "The id of that key at Apple: ten letters and digits.")
    package let apnsTeamID = Setting<String?>(
        "push.apns-team-id", "The id of the team at Apple that the key belongs to.")
    package let apnsTopic = Setting<String?>("push.apns-topic", "The bundle id of the iOS app.")
    package let apnsEnvironment = Setting<APNsServers>(
        "push.apns-environment",
        standard: .both,
        "The servers of APNs that know the app's devices: production for apps from the store, sandbox for development builds. "
            + "With both, the other server is tried if one does not know the device."
    )
    package let fcmAccountFile = Setting<String?>(
        "push.fcm-account-file",
        "The JSON file (mode 0600) of a Google service account that may send messages by Firebase Cloud Messaging. FCM is "
            + "disabled if unset."
    )
    package let vapidKeyFile = Setting<String?>(
        "push.vapid-key-file",
        "A file (mode 0600) with the VAPID private key (P-256, PEM) for push services of browsers and UnifiedPush. Web Push is "
            + "disabled if unset."
    )
    package let vapidContact = Setting<String?>(
        "push.vapid-contact", "Where push services reach the operator: a mailto: or https: URL.")
    package let allowLoopback = Setting<Bool>(
        "push.allow-loopback",
        standard: false,
        "Allows Web Push to this machine, over plain http. For development."
    )
}

package enum APNsServers: String, CaseIterable, SettingValue {
    case both, production, sandbox

    package var environments: [PushEnvironment] {
        PushEnvironment.allCases.filter { self == .both || $0.rawValue == rawValue }
    }
}
