public import LightningCoding

/// Why a service's response is refused.
///
/// Parsing is lenient where services differ harmlessly (numbers as strings, missing `routes`, unknown members,
/// `"status":"OK"`), and strict where money is at stake.
public enum LNURLFault: Error, Hashable, Sendable {
    /// The response is not a JSON object.
    case notAnObject
    /// The service returned an error (LUD-01).
    case refused(ErrorResponse)
    /// A member is missing or null.
    case missing(Member)
    /// A member has the wrong type, or cannot be parsed.
    case malformed(Member)
    /// A URL in the response breaks a rule of URLs.
    case url(Member, URLFault)
    /// A URL in the response is plain http, and neither an onion service nor the local machine (LUD-01).
    case clearnetHTTP(Member)
    /// The response belongs to another subprotocol; its tag.
    case wrongTag(String)
    /// `minSendable` is 0 (LUD-06).
    case minimumIsZero
    /// `minSendable` is greater than `maxSendable` (LUD-06).
    case minimumAboveMaximum
    /// The metadata breaks a rule.
    case metadata(MetadataFault)
    /// The success action breaks a rule (LUD-09, LUD-10).
    case successAction(SuccessActionFault)
    /// A preimage for an unsettled invoice (LUD-21), which would be proof of a payment that was not made.
    case preimageBeforeSettlement

    /// The members of responses that have rules.
    public enum Member: String, CaseIterable, Hashable, Sendable {
        /// The URL to request an invoice from (LUD-06).
        case callback
        /// The minimum amount, in msat (LUD-06).
        case minSendable
        /// The maximum amount, in msat (LUD-06).
        case maxSendable
        /// The recipient and purpose (LUD-06).
        case metadata
        /// The longest comment (LUD-12).
        case commentAllowed
        /// The data requested about the payer (LUD-18).
        case payerData
        /// The challenge that the payer signs (LUD-18).
        case k1
        /// The subprotocol (LUD-01).
        case tag
        /// The invoice (LUD-06).
        case pr
        /// The URL that tells whether the invoice is paid (LUD-21).
        case verify
        /// Whether the link should be forgotten after the payment (LUD-11).
        case disposable
        /// Whether the invoice is paid (LUD-21).
        case settled
        /// The proof of payment (LUD-21).
        case preimage
    }
}
