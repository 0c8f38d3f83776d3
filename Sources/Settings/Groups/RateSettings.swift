package import RateLimiting

/// Rate limits for costly requests; 0 for none.
package struct RateSettings: SettingGroup {
    package let network = Setting<UInt64>(
        "rates.network",
        standard: 600,
        in: 0...1_000_000,
        "Invoices per minute that one client network (an IPv4 address, an IPv6 /64) may ask for; 0 for any number."
    )
    package let info = Setting<UInt64>(
        "rates.info",
        standard: 60_000,
        in: 0...1_000_000,
        "Questions per minute of what may be sent (the first step of LNURL-pay) from one client network; 0 for any number."
    )
    package let verify = Setting<UInt64>(
        "rates.verify",
        standard: 60_000,
        in: 0...1_000_000,
        "Questions per minute of whether an invoice is paid (LNURL-verify) from one client network; 0 for any number."
    )
    package let notifier = Setting<UInt64>(
        "rates.notifier",
        standard: 60_000,
        in: 0...1_000_000,
        "Notifications per minute that one client network may send; 0 for any number."
    )
    package let account = Setting<UInt64>(
        "rates.account",
        standard: 6_000,
        in: 0...1_000_000,
        "Invoices per minute for one account, from everybody together, and as many notifications; 0 for any number."
    )
    package let openInvoices = Setting<UInt64>(
        "rates.open-invoices",
        standard: 10_000,
        in: 0...1_000_000_000,
        "How many invoices of one account may be open at once, neither paid nor expired; 0 for any number."
    )

    package static let trustedProxies = Setting<[NetworkPrefix]>(
        "trusted-proxies",
        standard: [],
        "Reverse proxies whose X-Forwarded-For is believed. From anybody else that header means nothing. A tunnel or onion service that ends on this machine must not be among them."
    )
}

extension NetworkPrefix: SettingValue {
    package static var form: String { "address or address/bits" }

    package init?(setting text: String) { self.init(text) }

    package var settingText: String { description }
}
