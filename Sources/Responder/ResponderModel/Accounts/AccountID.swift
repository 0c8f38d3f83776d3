package import LNURL
import LightningCrypto

/// What identifies an account: a name, and the domain that it is a name of. As text `alice@example.com`.
///
/// The same name in two domains is two accounts.
package struct AccountID: Hashable, Sendable {
    package let name: AddressName
    package let domain: DomainName

    package init(_ name: AddressName, at domain: DomainName) {
        self.name = name
        self.domain = domain
    }

    package init(_ text: some StringProtocol) throws(AddressFault) {
        guard let id = try Self.parse(text, main: nil) else { throw .missingAtSign }
        self = id
    }

    /// Parses `alice@example.com`, or `alice` for an account of the main domain.
    package init(_ text: some StringProtocol, main: DomainName) throws(AddressFault) {
        guard let id = try Self.parse(text, main: main) else { throw .missingAtSign }
        self = id
    }

    private static func parse(_ text: some StringProtocol, main: DomainName?) throws(AddressFault) -> AccountID? {
        let parts = String(text).utf8.split(
            separator: UInt8(ascii: "@"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count < 3 else { throw .severalAtSigns }
        let name = try AddressName(Substring(parts[0]))
        guard parts.count == 2 else { return main.map { AccountID(name, at: $0) } }
        do {
            return AccountID(name, at: try DomainName(Substring(parts[1])))
        } catch {
            throw .invalidDomain(error)
        }
    }

    package var text: String { "\(name.text)@\(domain.text)" }

    /// The shortest text that means it where `main` is the main domain: `alice`, `alice@example.org`.
    package func text(main: DomainName?) -> String { domain == main ? name.text : text }
}

extension AccountID: CustomStringConvertible {
    package var description: String { text }
}

extension AccountID: Comparable {
    package static func < (one: AccountID, other: AccountID) -> Bool {
        (one.domain, one.name) < (other.domain, other.name)
    }
}

package enum Recipient: Hashable, Sendable {
    /// A name, with the tag in the address (LUD-16).
    case name(LocalPart, at: DomainName)
    case key(RegistrationID)

    package init(_ account: AccountID) {
        self = .name(LocalPart(name: account.name), at: account.domain)
    }

    /// Parses what an operator has typed: `alice`, or 66 hexadecimal digits; either alone, in the main domain, or with
    /// `@example.org`.
    ///
    /// - Throws: why it is no name; a name is shorter than a key.
    package init(_ text: String, main: DomainName) throws(AddressFault) {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), maxSplits: 1, omittingEmptySubsequences: false)
            .map { Substring($0) }
        if let key = try? PublicKey(hexadecimal: parts[0]),
            let domain = parts.count == 1 ? main : try? DomainName(parts[1])
        {
            self = .key(RegistrationID(key, at: domain))
        } else {
            self.init(try AccountID(text, main: main))
        }
    }

    /// The account or registration with that name; nil for a key.
    package var account: AccountID? {
        if case .name(let localPart, let domain) = self { AccountID(localPart.name, at: domain) } else { nil }
    }
}
