import ArgumentParser
import Bolt12
import EmbeddedNode
import ServiceSetup
import LightningCoding
import LightningCrypto
import ResponderCore
import ResponderModel

struct Check: InstallationCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check the ledger and keys, whether the service runs or not; exit code 65 if something is wrong.",
        discussion: """
            Reads every account, invoice, offer, event and registration, and verifies signatures, hashes and \
            amounts. No ledger file or key may be accessible to others.
            """
    )

    @OptionGroup var common: CommonOptions

    func perform() async throws(CommandFailure) -> CommandResult {
        let configuration = try settings.configuration()
        let folder = try DataFolder.used(by: configuration)
        let modes = try folder.openToOthers
        let ledger = try await configuration.openLedger(in: folder, for: .reading)
        let (payees, keyFindings) = await Self.payees(configuration, folder)
        let report = try await CommandFailure.asking(await ledger.check(payees: payees))
        let offerFindings = try await Self.lostOffers(folder, ledger)
        // A key that is open to others is not read.
        let findings =
            modes + (keyFindings + offerFindings).filter { !modes.contains($0) } + report.findings.map(\.reason)
        guard findings.isEmpty else { throw CommandFailure(.data, findings) }
        return CommandResult(
            text:
                "Sound: \(report.accounts) accounts, \(report.invoices) invoices, \(report.settled) of them settled, "
                + "\(report.events) events, \(report.registrations) registrations.\n",
            json: [
                "sound": true, "accounts": .integer(report.accounts), "invoices": .integer(report.invoices),
                "settled": .integer(report.settled), "events": .integer(report.events),
                "registrations": .integer(report.registrations),
            ]
        )
    }

    /// The node whose key is in the folder, and what is wrong with it and with all keys. Even if only other nodes are configured
    /// now, an existing key of the embedded node is still that of its old invoices.
    private static func payees(
        _ configuration: ServiceConfiguration,
        _ folder: DataFolder
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
            // Its time decides nothing here.
            let node = try await folder.embeddedNode(configuration, clock: { UnixTime(0) })
            findings += try await node.problems().map { "the embedded node's file is damaged: \($0)" }
            return ([name: node.publicKey], findings)
        } catch let failure as CommandFailure {
            return ([:], findings + failure.reasons)
        } catch {
            return ([:], findings + ["the embedded node's file is damaged: \(error.readableReason)"])
        }
    }
}

extension Check {
    /// Our offers whose key is lost, which can never be answered again. A node keeps the keys of its own offers.
    private static func lostOffers(
        _ folder: DataFolder,
        _ ledger: any OfferLedger
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
            .map { "the key of offer \($0.offer.id) is missing" }
    }
}

extension LedgerReport.Finding {
    fileprivate var reason: String {
        switch self {
        case .file(let words): "the file is damaged: \(words)"
        case .account(let name): "account \(name) cannot be read"
        case .versions(let name): "versions of the metadata of \(name) are missing"
        case .invoiceRow(let position, let words): "invoice number \(position) cannot be read: \(words)"
        case .invoiceText(let hash): "the text of invoice \(hash) is not an invoice"
        case .invoiceHash(let hash): "the text of invoice \(hash) has a different payment hash"
        case .invoiceAmount(let hash): "the text of invoice \(hash) has a different amount"
        case .invoiceSignature(let hash): "the signature of invoice \(hash) is wrong"
        case .invoicePayee(let hash): "invoice \(hash) is not signed with the node's key"
        case .invoiceExpiry(let hash): "the text of invoice \(hash) has a different expiry"
        case .invoiceDescription(let hash): "invoice \(hash) does not commit to the metadata that its payer was shown"
        case .metadataVersion(let hash): "invoice \(hash) commits to missing metadata"
        case .offer(let hash): "invoice \(hash) is for a missing offer"
        case .offeredInvoice(let hash): "the BOLT12 invoice \(hash) does not match its row"
        case .preimage(let hash): "the preimage of invoice \(hash) does not match"
        case .eventRow(let position, let words): "event number \(position) cannot be read: \(words)"
        case .row(let title, let position, let words): "\(title) number \(position) cannot be read: \(words)"
        case .sharedName(let name): "the name \(name) is an account's and registered"
        case .statements(let count): "\(count) used statements have no time"
        case .paidInvoice(let hash): "the paid invoice \(hash) of a device does not match its row"
        }
    }
}
