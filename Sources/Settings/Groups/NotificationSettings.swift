package import OutboundHTTP

/// Who may notify the service.
package struct WebhookSettings: SettingGroup {
    package let open = Setting<Bool>(
        "webhook.open",
        standard: false,
        "Lets anybody notify the service at /webhook/{account}, without its secret and unsigned. For trying things out."
    )
}

/// How notifications are read and answered.
package struct NotificationSettingGroup: SettingGroup {
    package let deadline = Setting<UInt64>(
        "notifications.deadline",
        standard: 20,
        in: 2...120,
        "Seconds after which a notification is of no use any more: by then its reply is posted, or it is not posted at all."
    )
    package let keyFile = Setting<String?>(
        "notifications.key-file",
        "A file (mode 0600) with the key that opens encrypted notifications: 64 hexadecimal digits. Without it they stay closed."
    )
    package let keyPurpose = Setting<String?>(
        "notifications.key-purpose",
        "The name of what that key is used for, on which the sender and the app agree."
    )

    package static let namesSection = SettingSection(
        "notifications.names",
        "What a sender of notifications calls things, where that differs from the usual names."
    )
    package static let textsSection = SettingSection(
        "notifications.texts",
        "The words that a person is shown, by their keys, in place of the English ones."
    )
}

/// Where replies may be posted.
package struct ReplySettings: SettingGroup {
    package let hosts = Setting<[HostSuffix]?>(
        "replies.hosts",
        "The hosts that replies are posted to, each with all below it. Without a word: any public host, over https."
    )
    package let ports = Setting<[UInt16]>(
        "replies.ports",
        standard: [],
        "Ports beside 443 that replies are posted to."
    )
    package let proxy = Setting<Proxy>(
        "replies.proxy",
        standard: Proxy.none,
        "Through what replies leave, as socks5h://127.0.0.1:9050; then only to the hosts of `replies.hosts`."
    )
    package let allowLoopback = Setting<Bool>(
        "replies.allow-loopback",
        standard: false,
        "Lets replies go to this machine itself, in plain http and to any port. For development."
    )
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
