import ArgumentParser
import Bolt12
import ServiceSetup
import LNURL
import LightningCoding
import LightningCrypto
import Platform
import ResponderCore
import ResponderModel

struct OfferImport: InstallationCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import an offer that was made elsewhere, with its issuer key.",
        discussion: "A running service answers requests for it within a quarter of a second."
    )

    @OptionGroup var common: CommonOptions
    @Argument(help: "The account that is paid.")
    var name: String
    @Argument(help: "lno1…")
    var offer: String
    @Option(
        help: ArgumentHelp(
            "A file with the issuer's secret key, 64 hexadecimal digits, accessible only to its owner. It is copied.",
            valueName: "file"))
    var keyFile: String

    func perform() async throws(CommandFailure) -> CommandResult {
        let name = try AccountArgument(name)
        let offer = try OfferArgument.offer(offer)
        let installation = try await Installation.open(settings.configuration())
        let account = try await installation.existingAccount(named: installation.id(of: name)).id
        let key = try SecretKeyText.key(in: PrivateFile(path: keyFile))
        let responder = try await installation.responder(importedKeys: ImportedKeys([offer.id: key]))
        if let known = try await CommandFailure.asking(await installation.ledger.offer(offer.id)) {
            throw CommandFailure(.no, "the offer already exists; it pays \(known.account)")
        }
        try await awaiting(
            await responder.checkImport(of: offer, for: account), as: { (fault: OfferRefusal) in CommandFailure(fault) }
        )
        // The key is stored first, since an offer without its key could not be answered. It is never removed: a
        // concurrent import of the same offer relies on it.
        try installation.folder.offerKeys.keep(key, of: offer)
        let imported = try await awaiting(
            await responder.importOffer(offer, for: account), as: { (fault: OfferRefusal) in CommandFailure(fault) })
        return try await installation.report(imported)
    }
}
