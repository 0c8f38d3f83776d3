import LightningCrypto
import NodeHTTP
import Contracts

/// A line of the list of received payments: which payment it is, and what it says, if that can be read.
struct ListedPayment: Sendable {
    let paymentHash: PaymentHash
    /// In milliseconds since 1970; at most `Int64.max`, as the times of a query.
    let completedAt: UInt64
    let contents: Result<IncomingPayment, BackendFault>

    /// - Throws: when it cannot even be told from others.
    init(_ answer: NodeAnswer) throws(BackendFault) {
        paymentHash = try answer.parsed("paymentHash") { try PaymentHash(hexadecimal: $0) }
        completedAt = try answer.number("completedAt")
        guard Int64(exactly: completedAt) != nil else { throw answer.fault("completedAt") }
        do throws(BackendFault) {
            let payment = try IncomingPayment(answer)
            guard payment.receipt != nil else { throw answer.fault("isPaid") }
            contents = .success(payment)
        } catch {
            contents = .failure(error)
        }
    }
}
