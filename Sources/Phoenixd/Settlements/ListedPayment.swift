import LightningCoding
import Nodes
import LightningCrypto
import Contracts

/// An entry of the list of received payments: its identity, and its contents if they can be read.
struct ListedPayment: Sendable {
    let paymentHash: PaymentHash
    /// In milliseconds since 1970; at most `Int64.max`, the limit of times in queries.
    let completedAt: UInt64
    let contents: Result<IncomingPayment, BackendFault>

    /// - Throws: when not even its identity can be read.
    init(_ answer: NodeAnswer) throws(BackendFault) {
        paymentHash = try answer.parsed("paymentHash") { try PaymentHash(hexadecimal: $0) }
        completedAt = try answer.lenientNumber("completedAt")
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
