import Bolt11
package import LightningCoding
package import LightningCrypto
package import ResponderModel

/// Is told of a payment that a device has received: whose, the payment hash, and how much. Called again for the same payment
/// when it could not be kept.
package typealias DevicePaymentReport = @Sendable (RegistrationID, PaymentHash, Millisatoshi?) async -> Void

extension RegistrationLedger {
    /// Reports a payment that a device proves, and then keeps it: whoever asks again is told without waking the device.
    /// Killed in between, it is reported again.
    package func keep(
        _ paid: PaidInvoice, of id: RegistrationID, at now: UnixTime, reporting report: DevicePaymentReport
    ) async {
        await report(id, paid.paymentHash, (try? UnverifiedBolt11Invoice(paid.bolt11).verified())?.amount)
        // The answer is right even if it cannot be kept.
        try? await keep(paid, of: id, at: now)
    }
}
