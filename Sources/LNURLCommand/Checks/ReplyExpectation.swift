import Bolt11
import LNURL
import LightningCoding
import LightningCrypto

/// What a notification asked, as far as its reply can be judged by it.
struct ReplyExpectation {
    let kind: NotificationKind
    let callbackURL: String?
    let amount: Millisatoshi?
    let verifyURL: String?
    let paymentHash: String?
    /// The metadata that the payer has seen.
    let metadata: String?
    let now: UnixTime
}
