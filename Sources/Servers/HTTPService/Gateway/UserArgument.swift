package import LNURL
import LightningCoding
import LightningCrypto
package import ResponderModel

/// An app user as an operator names one: by name or key, each with its domain unless that is the main one.
package enum UserArgument: Hashable, Sendable {
    /// `alice`, `alice@example.org`.
    case name(AccountID)
    /// 66 hexadecimal digits, alone or with `@example.org`.
    case key(RegistrationID)

    /// Parses what an operator has typed.
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
            self = .name(try AccountID(text, main: main))
        }
    }
}

extension RegistrationLedger {
    /// The registration of a user, or nil.
    package func registration(of user: UserArgument) async throws(LedgerFault) -> Registration? {
        switch user {
        case .name(let account): try await registration(named: account)
        case .key(let id): try await registration(id)
        }
    }
}
