public import LightningCoding

/// Why a service's answer is refused.
///
/// Reading is lenient where services differ and nothing hangs on it (numbers as strings, missing `routes`, further
/// members, `"status":"OK"`), strict where money does.
public enum LNURLFault: Error, Hashable, Sendable {
    /// The answer is no JSON object.
    case notAnObject
    /// The service says that it will not (LUD-01).
    case refused(ErrorResponse)
    /// A member is missing or null.
    case missing(Member)
    /// A member is of another type, or cannot be read.
    case malformed(Member)
    /// A URL in the answer breaks a rule of URLs.
    case url(Member, URLFault)
    /// A URL in the answer is plain http, and neither an onion service nor this machine (LUD-01).
    case clearnetHTTP(Member)
    /// The answer belongs to another subprotocol; its tag.
    case wrongTag(String)
    /// `minSendable` is 0 (LUD-06).
    case minimumIsZero
    /// `minSendable` is greater than `maxSendable` (LUD-06).
    case minimumAboveMaximum
    /// The metadata breaks a rule.
    case metadata(MetadataFault)
    /// The action to take after the payment breaks a rule (LUD-09, LUD-10).
    case successAction(SuccessActionFault)
    /// A preimage of an invoice that is not settled (LUD-21): who has it holds a receipt for nothing.
    case preimageBeforeSettlement

    /// The members of answers that have rules.
    public enum Member: String, CaseIterable, Hashable, Sendable {
        /// Where to ask for an invoice (LUD-06).
        case callback
        /// The least that may be paid, in msat (LUD-06).
        case minSendable
        /// The most that may be paid, in msat (LUD-06).
        case maxSendable
        /// Who is paid, and for what (LUD-06).
        case metadata
        /// The longest comment (LUD-12).
        case commentAllowed
        /// What may be said about the payer (LUD-18).
        case payerData
        /// The challenge that the payer signs (LUD-18).
        case k1
        /// The subprotocol (LUD-01).
        case tag
        /// The invoice (LUD-06).
        case pr
        /// Where to ask whether the invoice is paid (LUD-21).
        case verify
        /// Whether the address may be forgotten after the payment (LUD-11).
        case disposable
        /// Whether the invoice is paid (LUD-21).
        case settled
        /// The proof of the payment (LUD-21).
        case preimage
    }
}
