import Installing
import AddressService
import ArgumentParser
import EmbeddedNode
import LightningCoding
import LightningCrypto
import Receiving
import SQLiteLedger

/// Plays the payer of an invoice of the embedded node.
struct Settle: ReportingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play the payer of an invoice; only for those of the embedded node.",
        discussion: "No command and no interface can mark another node's invoice as settled."
    )

    @OptionGroup var output: OutputOptions
    @Argument(help: "64 hexadecimal digits.")
    var paymentHash: String
    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        guard let hash = try? PaymentHash(hexadecimal: paymentHash) else {
            throw CommandFailure(.usage, "a payment hash has 64 hexadecimal digits")
        }
        let installation = try await Installation.open(settings.configuration())
        guard let settlement = installation.settlement else {
            throw CommandFailure(.no, "there is no embedded node here; only a payment settles an invoice")
        }
        let invoice: IssuedInvoice?
        let cursor: SettlementCursor?
        do {
            invoice = try await installation.ledger.invoice(hash)
            // Where the stream stands now: what is played below comes after it, whoever else follows the stream.
            cursor = try await installation.ledger.cursor(of: settlement.backend)
        } catch {
            throw CommandFailure(error)
        }
        guard let invoice else { throw CommandFailure(.no, "no invoice of that payment hash was given out") }
        do {
            try await settlement.settle(invoice)
        } catch {
            throw CommandFailure(error)
        }
        let settled = try await installation.settled(hash, at: settlement.backend, after: cursor)
        return CommandResult(
            text: "Settled \(settled.amount.formatted) for \(settled.account).\n",
            json: settled.json(at: .now())
        )
    }
}

extension Installation {
    /// How long a running service is given to see a settlement and to write it down, as it does with every other.
    private static let patience = Duration.milliseconds(500)

    /// The invoice, once it shows as settled. When no service runs, what the node has settled is written down here, in the
    /// node's order up to this invoice.
    fileprivate func settled(
        _ hash: PaymentHash,
        at name: BackendName,
        after cursor: SettlementCursor?
    ) async throws(CommandFailure) -> IssuedInvoice {
        guard let node = backends[name] else { throw CommandFailure(.no, "no node named \(name) is configured") }
        do {
            let deadline = ContinuousClock.now + Self.patience
            while ContinuousClock.now < deadline {
                if let invoice = try await ledger.invoice(hash), invoice.settlement != nil { return invoice }
                try await Task.sleep(for: .milliseconds(20))
            }
            for try await settlement in node.settlements(after: cursor) {
                _ = try await ledger.record(settlement, from: name)
                if settlement.paymentHash == hash { break }
            }
            if let invoice = try await ledger.invoice(hash) { return invoice }
        } catch let fault as LedgerFault {
            throw CommandFailure(fault)
        } catch {
            throw CommandFailure(.unavailable, "the node failed: \(error)")
        }
        throw CommandFailure(.no, "the invoice is gone")
    }
}
