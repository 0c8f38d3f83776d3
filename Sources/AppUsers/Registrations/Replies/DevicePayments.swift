import Bolt11
package import LightningCoding
package import LightningCrypto
package import ResponderModel

/// Keeps the payments that devices prove: whoever asks again is told without waking the device.
package struct DevicePayments: Sendable {
    /// Is told of a payment that a device has received: whose, the payment hash, and how much. Called again for the same
    /// payment when it could not be kept.
    package typealias Report = @Sendable (RegistrationID, PaymentHash, Millisatoshi?) async -> Void

    private let ledger: any RegistrationLedger
    private let now: WallClock
    private let report: Report

    /// Creates a keeper.
    ///
    /// - Parameters:
    ///   - ledger: keeps the preimages.
    ///   - now: the time at which payments are recorded.
    ///   - report: is told of each payment.
    package init(
        _ ledger: any RegistrationLedger, now: @escaping WallClock = UnixTime.now,
        report: @escaping Report = { _, _, _ in }
    ) {
        self.ledger = ledger
        self.now = now
        self.report = report
    }

    /// Reports a payment, and then keeps it: killed in between, it is reported again.
    @Sendable package func note(_ paid: PaidInvoice, of id: RegistrationID) async {
        await report(id, paid.paymentHash, (try? UnverifiedBolt11Invoice(paid.bolt11).verified())?.amount)
        // The answer is right even if it cannot be kept.
        try? await ledger.keep(paid, of: id, at: now())
    }
}
