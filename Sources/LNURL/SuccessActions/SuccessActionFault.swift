public import LightningCoding

/// Why a success action is refused (LUD-09, LUD-10). With an action that it does not understand, a wallet must not pay.
public enum SuccessActionFault: Error, Hashable, Sendable {
    /// It is no JSON object.
    case notAnObject
    /// A member is missing or null.
    case missing(Member)
    /// A member is of another type, or no base64.
    case malformed(Member)
    /// The tag is none that is known here; the tag.
    case unknownTag(String)
    /// A text has more than 144 characters.
    case textTooLong
    /// The link breaks a rule of URLs.
    case url(URLFault)
    /// The link is plain http, and neither to an onion service nor to this machine.
    case clearnetHTTP
    /// The link leads to another host than the callback's.
    case otherHost
    /// The ciphertext has more than 4096 characters of base64.
    case ciphertextTooLong
    /// The ciphertext is not one or more whole blocks of 16 bytes.
    case ciphertextNotWholeBlocks
    /// The initialisation vector is not 16 bytes, 24 characters of base64.
    case initialisationVector
    /// The cipher library does not offer AES-256-CBC (a restricted configuration).
    case cipherUnavailable
    /// The preimage does not open the ciphertext.
    case wrongPreimage
    /// What the preimage opens is not UTF-8.
    case notUTF8

    /// The members of actions.
    public enum Member: String, CaseIterable, Hashable, Sendable {
        /// Which action it is (LUD-09).
        case tag
        /// What is shown (LUD-09).
        case message
        /// What is shown beside a URL or a secret (LUD-09, LUD-10).
        case description
        /// What is opened (LUD-09).
        case url
        /// The secret, encrypted (LUD-10).
        case ciphertext
        /// With what the secret was encrypted beside the key: 16 bytes (LUD-10).
        case initialisationVector = "iv"
    }
}
