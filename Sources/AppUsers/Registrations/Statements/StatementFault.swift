package import LNURL
import LightningCoding

/// Why a signed request about a registration is refused, before its order is looked at.
///
/// Wallets are told less: `invalid signature` for nearly all of them.
package enum StatementFault: Error, NamedRule, Hashable, Sendable {
    /// The body is not a JSON object with members of the right types.
    case body
    /// The statement's time differs from ours by more than is allowed; in seconds, negative when the wallet is behind.
    case clock(ahead: Int64)
    /// The name has more than 64 bytes.
    case nameTooLong
    /// The name breaks a rule of LUD-16.
    case name(AddressFault)
    /// The name begins or ends with a dot, or has two in a row.
    case dots
    /// The offer does not begin with `lno`, or is too long.
    case offer
    /// The signature is not the key's over this statement.
    case signature
}

extension StatementFault: ReadableFault {
    package var reason: String {
        switch self {
        case .body: "the body is not the expected JSON"
        case .clock(let ahead) where ahead < 0: "the wallet's clock is \(ahead.magnitude) s behind"
        case .clock(let ahead): "the wallet's clock is \(ahead) s ahead"
        case .nameTooLong: "the name has more than 64 bytes"
        case .name(let fault): "the name: \(fault.reason)"
        case .dots: "the name begins or ends with a dot, or has two in a row"
        case .offer: "the offer does not begin with lno, or is too long"
        case .signature: "the signature is not the key's"
        }
    }
}

extension StatementFault {
    /// A name is one case, whatever is wrong with it.
    package var rule: String { caseName }
}
