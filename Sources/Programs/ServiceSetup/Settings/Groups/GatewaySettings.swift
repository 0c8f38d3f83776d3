package import LNURL
package import LightningCoding
package import OutboundHTTP

/// Lightning addresses of app users, whose devices answer.
package struct GatewaySettings: SettingGroup {
    package let enabled = Setting<Bool>(
        "gateway.enabled",
        standard: false,
        "Lets wallets on phones register names; payers' requests are forwarded to their webhooks."
    )
    package let network = Setting<Network>(
        "gateway.network",
        standard: .bitcoin,
        "The network of the devices' invoices; others do not reach a payer."
    )
    package let hosts = Setting<[HostSuffix]?>(
        "gateway.hosts",
        "The hosts that webhooks may use, with their subdomains. By default any public host, over https."
    )
    package let ports = Setting<[UInt16]>(
        "gateway.ports",
        standard: [],
        "Ports other than 443 that webhooks may use."
    )
    package let proxy = Setting<Proxy>(
        "gateway.proxy",
        standard: Proxy.none,
        "The proxy for calls of webhooks, such as socks5h://127.0.0.1:9050; requires `gateway.hosts`."
    )
    package let allowLoopback = Setting<Bool>(
        "gateway.allow-loopback",
        standard: false,
        "Allows webhooks on this machine, over plain http and at any port. For development."
    )
    package let reserved = Setting<[AddressName]>(
        "gateway.reserved",
        standard: GatewaySettings.standardReserved,
        "Names that no app user may register, in any domain."
    )
    package let lifetime = Setting<UInt64>(
        "gateway.lifetime",
        standard: 90,
        in: 0...36_500,
        "Days after which a registration that its wallet has not renewed is deleted; 0 for never."
    )
    package let hold = Setting<UInt64>(
        "gateway.hold",
        standard: 365,
        in: 0...36_500,
        "Days for which a name that was given up is held for its last owner; 0 means forever."
    )
    package let registrations = Setting<UInt64>(
        "gateway.registrations",
        standard: 20,
        in: 0...1_000_000,
        "Registrations and their changes per hour from one client network; 0 for unlimited."
    )
    package let payers = Setting<UInt64>(
        "gateway.payers",
        standard: 60,
        in: 0...1_000_000,
        "Payer requests forwarded to devices, per minute from one client network; 0 for unlimited."
    )

    private static let standardReserved: [AddressName] = [
        "abuse", "admin", "api", "available", "billing", "hostmaster", "lnurl", "lnurlp", "pay", "postmaster",
        "response", "root", "security", "support", "webmaster", "well-known", "www",
    ].compactMap { try? AddressName($0) }
}
