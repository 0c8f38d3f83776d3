import Bolt11
import LNURL
import LightningCoding
import LightningCrypto

/// What the reply to a notification is checked against.
struct ReplyExpectation {
    let kind: NotificationKind
    let callbackURL: String?
    let amount: Millisatoshi?
    let verifyURL: String?
    let paymentHash: String?
    /// The metadata shown to the payer.
    let metadata: String?
    let now: UnixTime
}
