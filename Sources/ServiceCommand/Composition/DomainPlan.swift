import Contracts
import LNURL
import Settings

/// The domains as they will be once the public URL and the domains of the file are taken over.
struct DomainPlan {
    /// All of them.
    let domains: [Domain]

    init(of configuration: ServiceConfiguration, over stored: [Domain]) {
        let former = stored.first(where: \.isMain)
        let url = PublicURL(configuration.publicURL)
        let file = configuration.domains
        let named = Set(file.map(\.publicURL.domain) + [url.domain])
        let others =
            stored.filter { !$0.isMain && !named.contains($0.name) }
            + file.filter { $0.publicURL.domain != url.domain }.map {
                Domain(publicURL: $0.publicURL, settings: $0.settings)
            }
        var settings = former.map { $0.settings.renamed(from: $0.name, to: url.domain) } ?? DomainSettings()
        if let former, others.contains(where: { $0.hosts.contains(former.name) }) {
            settings.aliases.removeAll { $0 == former.name }
        }
        if let entry = file.first(where: { $0.publicURL.domain == url.domain }) { settings = entry.settings }
        domains = [Domain(publicURL: url, settings: settings, isMain: true)] + others
    }

    /// Those that differ from what is stored. The others may be edited by an administrator at the same time.
    func changed(_ stored: [Domain]) -> [Domain] {
        domains.filter { !stored.contains($0) }
    }

    /// Those of the stored domains that lose aliases, which others may get, without these.
    func withoutLostAliases(_ stored: [Domain]) -> [Domain] {
        stored.compactMap { domain in
            guard let planned = domains.first(where: { domain.isMain ? $0.isMain : $0.name == domain.name }) else {
                return nil
            }
            var settings = domain.settings
            settings.aliases.removeAll { !planned.hosts.contains($0) }
            guard settings != domain.settings else { return nil }
            return Domain(publicURL: domain.publicURL, settings: settings, isMain: domain.isMain)
        }
    }
}
