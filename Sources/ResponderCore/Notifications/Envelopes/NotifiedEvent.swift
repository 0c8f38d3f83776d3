public import LightningCoding
public import LightningCrypto
public import Contracts

/// What a notification says has happened, read and found to be whole.
public enum NotifiedEvent: Hashable, Sendable {
    /// What may be sent? The answer names this callback, unchanged.
    case payInfo(callback: String)
    /// An invoice, please.
    case payInvoice(InvoiceParameters)
    /// Has it been paid? The text of a payment hash, which nobody has looked at.
    case payVerify(paymentHash: String)
    /// A BOLT12 invoice, please: the request's TLV stream, and the text of the offer when the sender knows it.
    case invoiceRequest([UInt8], offer: String?)
    /// A swap has moved on: the SHA-256 of its id in hexadecimal, or the id itself, and its status.
    case swapUpdated(id: String, SwapStatus)
    /// A payment is on its way, or has arrived.
    case paymentReceived(PaymentHash)
    /// Transactions to an address have been confirmed.
    case addressTransactionsConfirmed(address: String)
    /// A transaction has been confirmed.
    case transactionConfirmed(id: String)
    /// Nothing to do but to tell somebody, by the notification's type.
    case announcement
    /// The payload is encrypted and stays so.
    case undecipherable(DecipherFault)
    /// A type of one's own, or one that nobody knows.
    case other

    /// What a payer wants an invoice for.
    public struct InvoiceParameters: Hashable, Sendable {
        /// What is to be paid, in msat; not yet compared with any limits.
        public let amount: Millisatoshi
        /// The payer's words (LUD-12), never empty.
        public let comment: String?
        /// Where to ask whether it has been paid (LUD-21), with `{payment_hash}` for the hash.
        public let verifyTemplate: String?

        /// Creates parameters. Empty texts are none.
        public init(amount: Millisatoshi, comment: String? = nil, verifyTemplate: String? = nil) {
            self.amount = amount
            self.comment = comment.flatMap { $0.isEmpty ? nil : $0 }
            self.verifyTemplate = verifyTemplate.flatMap { $0.isEmpty ? nil : $0 }
        }

        /// Where to ask about that payment: every `{payment_hash}` of the template is the hash in lower-case hexadecimal.
        public func verifyURL(of paymentHash: PaymentHash) -> String? {
            guard let verifyTemplate else { return nil }
            let mark = Array("{payment_hash}".utf8)
            var url: [UInt8] = []
            var rest = Array(verifyTemplate.utf8)[...]
            while let byte = rest.first {
                let isMark = rest.starts(with: mark)
                if isMark { url += paymentHash.hexadecimal.utf8 } else { url.append(byte) }
                rest = rest.dropFirst(isMark ? mark.count : 1)
            }
            return String(decoding: url, as: UTF8.self)
        }
    }
}
