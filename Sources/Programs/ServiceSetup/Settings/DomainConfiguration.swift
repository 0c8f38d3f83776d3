package import LNURL
import LightningCoding
import ResponderCore
package import ResponderModel

/// A domain of the section `domains` of the file.
package struct DomainConfiguration: Hashable, Sendable {
    /// Where payers reach it; nil for the main domain, whose URL is `public-url`.
    package let publicURL: PublicURL
    package let settings: DomainSettings

    static func all(in section: SectionNode) throws(ConfigurationFaults) -> [DomainConfiguration] {
        var domains: [DomainConfiguration] = []
        try section.forEachEntry { text, node throws(ConfigurationFaults) in
            let domain = try DomainConfiguration(text, node)
            guard !domains.contains(where: { $0.publicURL.domain == domain.publicURL.domain }) else {
                throw node.fault("is a second entry of the same domain")
            }
            domains.append(domain)
        }
        return domains
    }

    private init(_ text: String, _ node: SectionNode) throws(ConfigurationFaults) {
        guard let name = try? DomainName(text) else { throw node.fault("is not the name of a domain") }
        (publicURL, settings) = try node.fields(Self.rows) {
            fields throws(ConfigurationFaults) -> (PublicURL, DomainSettings) in
            guard let url = fields[Self.publicURL] ?? Self.implicitURL(of: name), url.domain == name else {
                throw node.fault("needs a public-url at its own host, such as https://\(name)")
            }
            var settings = DomainSettings()
            settings.aliases = fields[Self.aliases]
            settings.backends = fields[Self.backends]
            settings.minSendable = fields[Self.minSendable]
            settings.maxSendable = fields[Self.maxSendable]
            settings.maximumOpenInvoices = fields[Self.openInvoices]
            settings.reserved = fields[Self.reserved]
            settings.description = fields[Self.description]
            try rethrowing(settings.check()) { (fault: SettingsFault) in
                node.fault("is not allowed: \(fault.reason)")
            }
            return (url, settings)
        }
    }

    /// `https`, or `http` for an onion service or the local machine.
    package static func implicitURL(of name: DomainName) -> PublicURL? {
        guard let url = try? HTTPURL("https://\(name.isWildcard ? String(name.text.dropFirst(2)) : name.text)") else {
            return nil
        }
        return try? PublicURL("\(URLPolicy.implicitScheme(forHostOf: url).rawValue)://\(name)")
    }

    private static let publicURL = Setting<PublicURL?>(
        "public-url", "The URL at which payers reach it, at its own host (default: https and the name)."
    ) { url in
        PublicURLRule.problem(url.base(of: "a"))
    }
    private static let aliases = Setting<[DomainName]>(
        "aliases", standard: [], "Other hosts at which it is reached; its addresses and URLs keep its name.")
    private static let backends = Setting<[BackendName]>(
        "backends", standard: [], "The only nodes that its accounts may use, the standard one first; all by default.")
    private static let minSendable = Setting<Millisatoshi?>("min-sendable", "The minimum amount of all its accounts.")
    private static let maxSendable = Setting<Millisatoshi?>("max-sendable", "The maximum amount of all its accounts.")
    private static let openInvoices = Setting<UInt64?>(
        "open-invoices", "The maximum number of open invoices per account, instead of rates.open-invoices.")
    private static let reserved = Setting<[AddressName]>(
        "reserved", standard: [], "Names that new accounts cannot have.")
    private static let description = Setting<String?>(
        "description", "The description of new accounts, with {address} in place of the address.")

    package static let rows: [any SettingRow] = [
        publicURL, aliases, backends, minSendable, maxSendable, openInvoices, reserved, description,
    ]
}

extension PublicURL: SettingValue {
    package static var form: String { "URL" }

    package init?(setting text: String) { try? self.init(text) }
}

extension DomainName: SettingValue {
    package static var form: String { "host" }

    package init?(setting text: String) { try? self.init(text) }
}

extension AddressName: SettingValue {
    package static var form: String { "name" }

    package init?(setting text: String) { try? self.init(text) }
}

extension BackendName: SettingValue {
    package static var form: String { "name of a node" }

    package init?(setting text: String) { self.init(text) }
}
