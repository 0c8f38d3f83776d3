import ServiceSetup
import Settings
import ArgumentParser
import Bolt12
import EmbeddedNode
import LightningCoding
import LightningCrypto
import Contracts
import ResponderCore
import SQLiteLedger

/// Examines the ledger and the keys.
struct Check: ReportingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Examine ledger and keys, while the service runs or not; exit code 65 when something is wrong.",
        discussion: """
            Accounts, invoices, offers and the event log are read to the last row; signatures, hashes and amounts are \
            compared with what stands beside them. No file of the ledger and no key may be open to others.
            """
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let configuration = try settings.configuration()
        let folder = try DataFolder.used(by: configuration)
        let modes = try folder.openToOthers
        let ledger = try await folder.openLedgerToRead()
        let (payees, keyFindings) = await Self.payees(configuration, folder, ledger)
        let report = try await CommandFailure.asking(await ledger.check(payees: payees))
        let offerFindings = try await Self.lostOffers(folder, ledger)
        // A key that is open to others is not read.
        let findings =
            modes + (keyFindings + offerFindings).filter { !modes.contains($0) } + report.findings.map(\.reason)
        guard findings.isEmpty else { throw CommandFailure(.data, findings) }
        return CommandResult(
            text:
                "Sound: \(report.accounts) accounts, \(report.invoices) invoices, \(report.settled) of them settled, "
                + "\(report.events) events.\n",
            json: [
                "sound": true, "accounts": .integer(report.accounts), "invoices": .integer(report.invoices),
                "settled": .integer(report.settled), "events": .integer(report.events),
            ]
        )
    }

    /// The node whose key is in the folder, and what is wrong with all keys. Even if only other nodes are configured
    /// now, an existing key of the embedded node is still that of its old invoices.
    private static func payees(
        _ configuration: ServiceConfiguration,
        _ folder: DataFolder,
        _ ledger: LedgerDatabase
    ) async -> (payees: [BackendName: PublicKey], findings: [String]) {
        var findings: [String] = []
        do {
            try folder.readKeys()
        } catch {
            findings += error.reasons
        }
        guard let name = configuration.embeddedName ?? (folder.hasEmbeddedNode ? .embedded : nil) else {
            return ([:], findings)
        }
        do {
            return ([name: try await folder.embeddedNode(configuration, ledger).publicKey], findings)
        } catch {
            return ([:], findings + error.reasons)
        }
    }
}

extension Check {
    /// Our offers whose key is lost, which can never be answered again. A node keeps the keys of its own offers.
    private static func lostOffers(
        _ folder: DataFolder,
        _ ledger: LedgerDatabase
    ) async throws(CommandFailure) -> [String] {
        let offers = try await CommandFailure.asking(await ledger.offers(of: nil))
        let keys = ImportedKeys()
        do {
            try folder.offerKeys.read(into: keys)
        } catch {
            return error.reasons
        }
        // Without a seed every key is missing, and the missing seed was already reported.
        guard let issuer = try? folder.offerIssuer(keys) else { return [] }
        return offers.filter { $0.origin != .node && issuer.signingKey(of: $0.offer) == nil }
            .map { "the key of offer \($0.offer.id) is gone" }
    }
}

extension LedgerReport.Finding {
    /// The message for people.
    fileprivate var reason: String {
        switch self {
        case .file(let words): "the file is damaged: \(words)"
        case .account(let name): "account \(name) cannot be read"
        case .versions(let name): "versions of the metadata of \(name) are missing"
        case .invoiceRow(let position, let words): "invoice number \(position) cannot be read: \(words)"
        case .invoiceText(let hash): "the text of invoice \(hash) is no invoice"
        case .invoiceHash(let hash): "the text of invoice \(hash) pays another hash"
        case .invoiceAmount(let hash): "the text of invoice \(hash) asks for another amount"
        case .invoiceSignature(let hash): "the signature of invoice \(hash) is wrong"
        case .invoicePayee(let hash): "invoice \(hash) is signed by another key than the node's"
        case .invoiceExpiry(let hash): "the text of invoice \(hash) expires at another time"
        case .invoiceDescription(let hash): "invoice \(hash) does not commit to the metadata that its payer was shown"
        case .metadataVersion(let hash): "invoice \(hash) commits to metadata that is not there"
        case .offer(let hash): "invoice \(hash) is for an offer that is not there"
        case .offeredInvoice(let hash): "the BOLT12 invoice \(hash) is not the one that its row says"
        case .preimage(let hash): "the preimage of invoice \(hash) does not belong to it"
        case .eventRow(let position, let words): "event number \(position) cannot be read: \(words)"
        }
    }
}
