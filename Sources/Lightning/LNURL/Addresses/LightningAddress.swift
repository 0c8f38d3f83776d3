public import LightningCoding

/// A payable internet identifier: `alice@example.com`, `alice+rent@example.com` (LUD-16).
///
/// An internationalized domain must be given in its `xn--` form, so that the address shown is the one requested.
public struct LightningAddress: Hashable, Sendable {
    /// The part before the `@`.
    public let localPart: LocalPart
    /// `host` or `host:port`, in lower case, without the root's trailing dot.
    public let domain: String
    /// The first URL that a wallet requests (LUD-06): `/.well-known/lnurlp/` and the local part, over https; over http
    /// when the host is an onion service or the local machine.
    public let payURL: HTTPURL

    /// The address of a local part at a service with this public URL.
    public init(_ localPart: LocalPart, at service: HTTPURL) {
        self.localPart = localPart
        domain = service.authority
        payURL = PayPaths.info(of: localPart, at: service)
    }

    /// Parses `name@host`, `name+tag@host`, either with `:port`. The caller must trim spaces.
    public init(_ text: some StringProtocol) throws(AddressFault) {
        let parts = String(text).utf8.split(
            separator: UInt8(ascii: "@"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count > 1 else { throw .missingAtSign }
        guard parts.count == 2 else { throw .severalAtSigns }
        self.init(try LocalPart(Substring(parts[0])), at: try Self.service(atDomain: Substring(parts[1])))
    }

    private static func service(atDomain domain: Substring) throws(AddressFault) -> HTTPURL {
        let isRooted = domain.utf8.count > 1 && domain.utf8.last == UInt8(ascii: ".")
        let domain = isRooted ? Substring(domain.utf8.dropLast()) : domain
        // A domain has no path: these characters would end the host.
        guard !domain.utf8.contains(where: { "/?#\\".utf8.contains($0) }) else { throw .invalidDomain(.invalidHost) }
        do {
            let clearnet = try HTTPURL("https://\(domain)")
            return switch URLPolicy.implicitScheme(forHostOf: clearnet) {
            case .https: clearnet
            case .http: try HTTPURL("http://\(domain)")
            }
        } catch {
            throw .invalidDomain(error)
        }
    }

    /// The recipient's name, in lower case, without the tag.
    public var name: String { localPart.name.text }

    /// The part after the `+`.
    public var tag: String? { localPart.tag }

    /// The full address, including its tag.
    public var text: String { "\(localPart.text)@\(domain)" }

    /// The address without its tag, as in `text/identifier`.
    public var identifier: String { "\(name)@\(domain)" }
}

extension LightningAddress: CustomStringConvertible {
    /// The same as `text`.
    public var description: String { text }
}
