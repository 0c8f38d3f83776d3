package import OutboundHTTP

/// Notifications: who may send them, how they are read, where the replies go.
extension SettingTable {
    package static let webhookOpen = Setting<Bool>(
        "webhook.open",
        standard: false,
        "Lets anybody notify the service at /webhook/{account}, without its secret and unsigned. For trying things out."
    )
    package static let notificationsDeadline = Setting<UInt64>(
        "notifications.deadline",
        standard: 20,
        in: 2...120,
        "Seconds after which a notification is of no use any more: by then its reply is posted, or it is not posted at all."
    )
    package static let notificationsKeyFile = Setting<String>(
        "notifications.key-file",
        standard: nil,
        "A file (mode 0600) with the key that opens encrypted notifications: 64 hexadecimal digits. Without it they stay closed."
    )
    package static let notificationsKeyPurpose = Setting<String>(
        "notifications.key-purpose",
        standard: nil,
        "The name of what that key is used for, on which the sender and the app agree."
    )
    package static let notificationNames = SettingSection(
        "notifications.names",
        "What a sender of notifications calls things, where that differs from the usual names."
    )
    package static let notificationTexts = SettingSection(
        "notifications.texts",
        "The words that a person is shown, by their keys, in place of the English ones."
    )
    package static let repliesHosts = Setting<[HostSuffix]>(
        "replies.hosts",
        standard: nil,
        "The hosts that replies are posted to, each with all below it. Without a word: any public host, over https."
    )
    package static let repliesPorts = Setting<[UInt16]>(
        "replies.ports",
        standard: [],
        "Ports beside 443 that replies are posted to."
    )
    package static let repliesProxy = Setting<Proxy>(
        "replies.proxy",
        standard: Proxy.none,
        "Through what replies leave, as socks5h://127.0.0.1:9050; then only to the hosts of `replies.hosts`."
    )
    package static let repliesAllowLoopback = Setting<Bool>(
        "replies.allow-loopback",
        standard: false,
        "Lets replies go to this machine itself, in plain http and to any port. For development."
    )

    static let notificationRows: [any SettingRow] = [
        webhookOpen, notificationsDeadline, notificationsKeyFile, notificationsKeyPurpose, repliesHosts, repliesPorts,
        repliesProxy, repliesAllowLoopback,
    ]
}

extension HostSuffix: SettingValue {
    package static var form: String { "host" }

    package init?(setting text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        self.init(text)
    }

    package var settingText: String { description }
}

extension UInt16: SettingValue {
    package static var form: String { "port" }

    package init?(setting text: String) {
        guard let number = UInt64(setting: text), let port = UInt16(exactly: number), port > 0 else { return nil }
        self = port
    }

    package var settingText: String { String(self) }
}

extension Proxy: SettingValue {
    package static var form: String { "socks5h://host:port | http://host:port | none" }

    package init?(setting text: String) {
        if text == "none" { self = .none } else { self.init(text) }
    }

    package var settingText: String { self == .none ? "none" : description }
}
