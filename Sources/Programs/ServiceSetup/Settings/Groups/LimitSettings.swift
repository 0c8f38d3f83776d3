package import Platform

/// What one client may use: sizes in bytes, times in seconds.
package struct LimitSettings: SettingGroup {
    package let body = Setting<UInt64>(
        "limits.body",
        standard: 16_384,
        in: 1_024...1_048_576,
        "The maximum size of a request body, in bytes."
    )
    package let header = Setting<UInt64>(
        "limits.header",
        standard: 16_384,
        in: 1_024...1_048_576,
        "The maximum size of a request header, in bytes."
    )
    package let headerField = Setting<UInt64>(
        "limits.header-field",
        standard: 8_192,
        in: 1_024...1_048_576,
        "The maximum length of the request target and of each header field, in bytes."
    )
    package let headerTime = Setting<UInt64>(
        "limits.header-time",
        standard: 10,
        in: 1...300,
        "Seconds after which a connection without a complete header is closed."
    )
    package let requestTime = Setting<UInt64>(
        "limits.request-time",
        standard: 30,
        in: 1...300,
        "Seconds after which a connection whose request is not answered is closed."
    )
    package let connections = Setting<UInt64>(
        "limits.connections",
        standard: 4_096,
        in: 1...1_000_000,
        "The maximum number of simultaneous connections per listener; further ones wait."
    )
}

/// Rate limits for costly requests; 0 for none.
package struct RateSettings: SettingGroup {
    package let network = Setting<UInt64>(
        "rates.network",
        standard: 600,
        in: 0...1_000_000,
        "Invoice requests per minute from one client network, and onion messages from one that has connected to `onion-peer.listen`; 0 for unlimited. A client network is an IPv4 address or an IPv6 /64; a /56 may make four times as many, a /48 sixteen times."
    )
    package let info = Setting<UInt64>(
        "rates.info",
        standard: 60_000,
        in: 0...1_000_000,
        "Info requests per minute (the first step of LNURL-pay) from one client network; 0 for unlimited."
    )
    package let verify = Setting<UInt64>(
        "rates.verify",
        standard: 60_000,
        in: 0...1_000_000,
        "Payment status requests per minute (LNURL-verify) from one client network; 0 for unlimited."
    )
    package let notifier = Setting<UInt64>(
        "rates.notifier",
        standard: 60_000,
        in: 0...1_000_000,
        "Notifications per minute from one client network; 0 for unlimited."
    )
    package let account = Setting<UInt64>(
        "rates.account",
        standard: 6_000,
        in: 0...1_000_000,
        "Invoice requests per minute for one account from all clients together, and as many notifications; 0 for unlimited."
    )
    package let openInvoices = Setting<UInt64>(
        "rates.open-invoices",
        standard: 10_000,
        in: 0...1_000_000_000,
        "The maximum number of open invoices per account, neither paid nor expired; 0 for unlimited."
    )
}

extension NetworkPrefix: SettingValue {
    package static var form: String { "address or address/bits" }

    package init?(setting text: String) { self.init(text) }
}
