import ArgumentParser
import Bolt12
import LightningCoding
import Receiving
import Responding
import SQLiteLedger

/// Examines the ledger and the keys.
struct Check: ReportingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Examine ledger and keys, while the service runs or not; exit code 65 when something is wrong."
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let installation = try await Installation.open(settings.configuration())
        let report: LedgerReport
        do {
            report = try await installation.ledger.check()
        } catch {
            throw CommandFailure(error)
        }
        guard report.isSound else {
            throw CommandFailure(.data, report.findings.map(\.reason))
        }
        _ = try installation.folder.challengeKey()
        _ = try installation.folder.webhookKey()
        _ = try installation.folder.adminToken()
        try await installation.checkOfferKeys()
        return CommandResult(
            text:
                "Sound: \(report.accounts) accounts, \(report.invoices) invoices, \(report.settled) of them settled.\n",
            json: [
                "sound": true, "accounts": .integer(report.accounts), "invoices": .integer(report.invoices),
                "settled": .integer(report.settled),
            ]
        )
    }
}

extension Installation {
    /// An offer whose key is gone can never be answered again.
    fileprivate func checkOfferKeys() async throws(CommandFailure) {
        let offers: [IssuedOffer]
        do {
            offers = try await ledger.offers(of: nil)
        } catch {
            throw CommandFailure(error)
        }
        let keys = ImportedKeys()
        try folder.offerKeys.read(into: keys)
        let issuer = try offerIssuer(keys)
        let orphans = offers.filter { issuer.signingKey(of: $0.offer) == nil }
        guard orphans.isEmpty else {
            throw CommandFailure(.data, orphans.map { "the key of offer \($0.offer.id) is gone" })
        }
    }
}

extension LedgerReport.Finding {
    /// What a person reads.
    fileprivate var reason: String {
        switch self {
        case .file(let words): "the file is damaged: \(words)"
        case .account(let name): "account \(name) cannot be read"
        case .versions(let name): "versions of the metadata of \(name) are missing"
        case .invoiceRow(let position, let words): "invoice number \(position) cannot be read: \(words)"
        case .invoiceText(let hash): "the text of invoice \(hash) is no invoice"
        case .invoiceHash(let hash): "the text of invoice \(hash) pays another hash"
        case .invoiceAmount(let hash): "the text of invoice \(hash) asks for another amount"
        case .metadataVersion(let hash): "invoice \(hash) commits to metadata that is not there"
        case .offer(let hash): "invoice \(hash) is for an offer that is not there"
        case .offeredInvoice(let hash): "the BOLT12 invoice \(hash) is not the one that its row says"
        case .preimage(let hash): "the preimage of invoice \(hash) does not belong to it"
        }
    }
}
