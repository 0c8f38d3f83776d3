package import RateLimiting

/// How often somebody may ask; nil for as often as they like.
package struct RateConfiguration: Hashable, Sendable {
    /// Invoices, for each client network.
    package let network: RateLimit?
    /// Questions of what may be sent, for each client network.
    package let info: RateLimit?
    /// Questions of whether an invoice is paid, for each client network.
    package let verify: RateLimit?
    /// Notifications, for each client network.
    package let notifier: RateLimit?
    /// Invoices and notifications, for each account.
    package let account: RateLimit?
    /// Open invoices, for each account.
    package let openInvoices: UInt64?
    /// Whose `X-Forwarded-For` is believed.
    package let trustedProxies: [NetworkPrefix]

    init(_ sources: SettingSources) throws(ConfigurationFaults) {
        network = try Self.limit(sources, SettingTable.ratesNetwork)
        info = try Self.limit(sources, SettingTable.ratesInfo)
        verify = try Self.limit(sources, SettingTable.ratesVerify)
        notifier = try Self.limit(sources, SettingTable.ratesNotifier)
        account = try Self.limit(sources, SettingTable.ratesAccount)
        let open = try sources.required(SettingTable.ratesOpenInvoices)
        openInvoices = open == 0 ? nil : open
        trustedProxies = try sources.required(SettingTable.trustedProxies)
    }

    private static func limit(
        _ sources: SettingSources,
        _ setting: Setting<UInt64>
    ) throws(ConfigurationFaults) -> RateLimit? {
        RateLimit(perMinute: Int(clamping: try sources.required(setting)))
    }
}
