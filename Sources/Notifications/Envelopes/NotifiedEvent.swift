public import LightningCoding
public import LightningCrypto
public import Contracts

/// The event in a notification, parsed and validated.
public enum NotifiedEvent: Hashable, Sendable {
    /// A payer requests the limits and metadata. The answer contains this callback, unchanged.
    case payInfo(callback: String)
    /// A payer requests an invoice.
    case payInvoice(InvoiceParameters)
    /// A payer asks whether an invoice has been paid; the payment hash is unvalidated text.
    case payVerify(paymentHash: String)
    /// A payer requests a BOLT12 invoice: the request's TLV stream, and the text of the offer when the sender knows it.
    case invoiceRequest([UInt8], offer: String?)
    /// A swap changed its status: the SHA-256 of its id in hexadecimal, or the id itself.
    case swapUpdated(id: String, SwapStatus)
    /// A payment is pending or received.
    case paymentReceived(PaymentHash)
    /// Transactions to an address were confirmed.
    case addressTransactionsConfirmed(address: String)
    /// A transaction was confirmed.
    case transactionConfirmed(id: String)
    /// Nothing to do but show a text for the notification's type.
    case announcement
    /// The payload cannot be decrypted.
    case undecipherable(DecipherFault)
    /// A custom or unknown type.
    case other

    /// The parameters of an invoice that a payer requests.
    public struct InvoiceParameters: Hashable, Sendable {
        /// The amount, in msat; not yet checked against any limits.
        public let amount: Millisatoshi
        /// The payer's comment (LUD-12), never empty.
        public let comment: String?
        /// The verify URL (LUD-21), with `{payment_hash}` for the hash.
        public let verifyTemplate: String?

        /// Creates parameters. Empty texts are none.
        public init(amount: Millisatoshi, comment: String? = nil, verifyTemplate: String? = nil) {
            self.amount = amount
            self.comment = comment.flatMap { $0.isEmpty ? nil : $0 }
            self.verifyTemplate = verifyTemplate.flatMap { $0.isEmpty ? nil : $0 }
        }

        /// The verify URL of a payment: the template with `{payment_hash}` replaced by the hash in lower-case
        /// hexadecimal.
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
