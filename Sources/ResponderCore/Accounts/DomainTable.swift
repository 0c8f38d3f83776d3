public import LNURL
public import Contracts

/// The domains, to look one up.
public struct DomainTable: Sendable {
    /// The domain of the service's own public URL; nil before the service has first run or an account was added.
    public let main: Domain?
    private let byName: [DomainName: Domain]

    /// A table of domains with different names.
    public init(_ domains: [Domain]) {
        main = domains.first(where: \.isMain)
        byName = Dictionary(domains.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The domain of that name, or nil.
    public subscript(name: DomainName) -> Domain? { byName[name] }
}
