package import LightningCoding
package import OutboundHTTP
import ResponderCore

package struct NotificationSettingGroup: SettingGroup {
    package let deadline = Setting<UInt64>(
        "notifications.deadline",
        standard: 20,
        in: 2...120,
        "Seconds after which a notification expires; no reply is posted later."
    )
    package let keyFile = Setting<String?>(
        "notifications.key-file",
        "A file (mode 0600) with the key that decrypts notifications: 64 hexadecimal digits. Without it they cannot be read."
    )
    package let keyPurpose = Setting<String?>(
        "notifications.key-purpose",
        "The purpose from which the key is derived, as agreed between the sender and the app."
    )

    package static let namesSection = SettingSection(
        key: "notifications.names",
        explanation:
            "The names that a sender of notifications uses, where they differ from the defaults. `types` and `members` are "
            + "mappings, of the sender's types to ours and of our members to the sender's.",
        rows: NameSettings.rows
    )
    package static let handlersSection = SettingSection(
        key: "notifications.handlers",
        explanation:
            "Who answers notifications of custom types: the type, and below it a service or a program that implements the "
            + "method `notification` of the hook contract.",
        rows: HandlerSettings.rows, nested: HandlerSettings.nested
    )
    package static let textsSection = SettingSection(
        key: "notifications.texts",
        explanation: "The texts shown to people, by key, in place of the English ones.",
        rows: NotificationTexts.rows
    )
}

package struct ReplySettings: SettingGroup {
    package let hosts = Setting<[HostSuffix]?>(
        "replies.hosts",
        "The hosts to which replies may be posted, with their subdomains. By default any public host, over https."
    )
    package let ports = Setting<[UInt16]>(
        "replies.ports",
        standard: [],
        "Ports other than 443 to which replies may be posted."
    )
    package let proxy = Setting<Proxy>(
        "replies.proxy",
        standard: Proxy.none,
        "The proxy for replies, such as socks5h://127.0.0.1:9050; requires `replies.hosts`."
    )
    package let allowLoopback = Setting<Bool>(
        "replies.allow-loopback",
        standard: false,
        "Allows replies to this machine, over plain http and to any port. For development."
    )
}

extension HostSuffix: SettingValue {
    package static var form: String { "host" }

    package init?(setting text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        self.init(text)
    }
}

extension UInt16: SettingValue {
    package static var form: String { "port" }

    package init?(setting text: String) {
        guard let number = UInt64(setting: text), let port = UInt16(exactly: number), port > 0 else { return nil }
        self = port
    }
}

extension Proxy: SettingValue {
    package static var form: String { "socks5h://host:port | http://host:port | none" }

    package init?(setting text: String) {
        if text == "none" { self = .none } else { self.init(text) }
    }

    package var settingText: String { self == .none ? "none" : description }
}

package struct SettlementWebhookSettings: SettingGroup {
    package let url = Setting<HTTPURL?>(
        "settlement-webhook.url",
        "The URL to which each settled payment is announced, as in Standard Webhooks; an account may have its own. None by default."
    )
    package let secretFile = Setting<String?>(
        "settlement-webhook.secret-file",
        "A file (mode 0600) with the secret that signs these announcements: whsec_ and 24 to 64 bytes in base64."
    )
    package let allowPrivate = Setting<Bool>(
        "settlement-webhook.allow-private",
        standard: false,
        "Allows settlement webhooks, those of accounts too, to private addresses and this machine, and over plain http."
    )
}

/// What nodes tell payers' wallets of their peers. It needs no provider of push messages: a group of its own.
package struct ForwardingHintSettings: SettingGroup {
    package let tokenFile = Setting<String?>(
        "forwarding-hint.token-file",
        "A file (mode 0600) with the bearer token (at least 32 characters) for /lsp/forwarding_hint, which tells wallets why a "
            + "payment to a peer of a node was not forwarded. The route is disabled if unset."
    )
    package let requests = Setting<UInt64>(
        "forwarding-hint.requests",
        standard: 60,
        in: 0...1_000_000,
        "Forwarding-hint requests per minute from one client network; 0 for unlimited."
    )
}
