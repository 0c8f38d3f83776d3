public import LightningCoding

/// Why a success action is refused (LUD-09, LUD-10). A wallet must not pay when it does not understand the action.
public enum SuccessActionFault: Error, Hashable, Sendable {
    /// It is not a JSON object.
    case notAnObject
    /// A member is missing or null.
    case missing(Member)
    /// A member has the wrong type, or is not base64.
    case malformed(Member)
    /// An unknown tag; the tag.
    case unknownTag(String)
    /// A text has more than 144 characters.
    case textTooLong
    /// The link breaks a rule of URLs.
    case url(URLFault)
    /// The link is plain http, and neither to an onion service nor to the local machine.
    case clearnetHTTP
    /// The link has another host than the callback.
    case otherHost
    /// The ciphertext has more than 4096 characters of base64.
    case ciphertextTooLong
    /// The ciphertext is not one or more whole blocks of 16 bytes.
    case ciphertextNotWholeBlocks
    /// The initialisation vector is not 16 bytes, 24 characters of base64.
    case initialisationVector
    /// The cipher library does not provide AES-256-CBC (a restricted configuration).
    case cipherUnavailable
    /// The preimage does not decrypt the ciphertext.
    case wrongPreimage
    /// The decrypted text is not UTF-8.
    case notUTF8

    /// The members of actions.
    public enum Member: String, CaseIterable, Hashable, Sendable {
        /// The kind of action (LUD-09).
        case tag
        /// The text to show (LUD-09).
        case message
        /// The text shown with a URL or secret (LUD-09, LUD-10).
        case description
        /// The URL to open (LUD-09).
        case url
        /// The encrypted secret (LUD-10).
        case ciphertext
        /// The initialisation vector, 16 bytes (LUD-10).
        case initialisationVector = "iv"
    }
}
