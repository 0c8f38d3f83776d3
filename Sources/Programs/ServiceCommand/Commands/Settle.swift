import Platform
import ArgumentParser
import ServiceSetup
import LightningCoding
import LightningCrypto
import ResponderCore
import ResponderModel

struct Settle: InstallationCommand {
    static let configuration = CommandConfiguration(
        abstract: "Simulate the payment of an invoice of the embedded node.",
        discussion: "Invoices of other nodes are settled only by payment."
    )

    @OptionGroup var common: CommonOptions
    @Argument(help: "64 hexadecimal digits.")
    var paymentHash: String

    func perform() async throws(CommandFailure) -> CommandResult {
        guard let hash = try? PaymentHash(hexadecimal: paymentHash) else {
            throw CommandFailure(.usage, "a payment hash has 64 hexadecimal digits")
        }
        return try await Installation.open(settings.configuration()).closing {
            installation throws(CommandFailure) in try await settle(hash, in: installation)
        }
    }

    private func settle(
        _ hash: PaymentHash, in installation: Installation
    ) async throws(CommandFailure) -> CommandResult {
        let settlement = try installation.settlement.found(
            or: "no embedded node is configured; other invoices are settled only by payment")
        let invoice = try await installation.invoice(hash).found(or: "no invoice with that payment hash was issued")
        do {
            try await settlement.settle(invoice)
        } catch {
            throw CommandFailure(error)
        }
        let settled = try await installation.settled(invoice)
        return CommandResult(
            text: "Settled \(settled.amount.formatted) for \(settled.account).\n",
            json: settled.json(at: installation.now())
        )
    }
}

extension Installation {
    /// How long a running service has to see and record a settlement, as it does for every other.
    private static let timeout = Duration.milliseconds(500)

    /// The invoice once it is settled. If no service follows the node, the payment is recorded here.
    fileprivate func settled(_ open: IssuedInvoice) async throws(CommandFailure) -> IssuedInvoice {
        let deadline = MonotonicTime.now + Self.timeout
        while MonotonicTime.now < deadline {
            if let now = try await invoice(open.paymentHash), now.settlement != nil { return now }
            try? await Task.sleep(for: .milliseconds(20))
        }
        do {
            let responder = try responder()
            _ = try await responder.recordPayment(try await responder.status(of: open), of: open)
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.unavailable, "the node failed: \(error.readableReason)")
        }
        return try await invoice(open.paymentHash).found(or: "the invoice no longer exists")
    }

    fileprivate func invoice(_ hash: PaymentHash) async throws(CommandFailure) -> IssuedInvoice? {
        try await CommandFailure.asking(await ledger.invoice(hash))
    }
}
