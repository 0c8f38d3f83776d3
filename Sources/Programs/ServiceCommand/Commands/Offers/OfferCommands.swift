import ArgumentParser
import Bolt12
import ServiceSetup
import LightningCoding
import ResponderCore
import ResponderModel
import LightningCrypto
import Platform

struct OfferCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "offer",
        abstract: "Create, list, show, disable and import BOLT12 offers.",
        subcommands: [
            OfferCreate.self, OfferList.self, OfferShow.self, OfferDisable.self, OfferImport.self,
        ]
    )
}

struct OfferList: InstallationCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List offers, newest first.")

    @OptionGroup var common: CommonOptions
    @Option(help: ArgumentHelp("Only those of this account.", valueName: "name"))
    var account: String?

    func perform() async throws(CommandFailure) -> CommandResult {
        let name = try account.map(AccountArgument.init)
        let installation = try await Installation.open(settings.configuration())
        let id = name.map(installation.id)
        let offers = try await CommandFailure.asking(await installation.ledger.offers(of: id))
        let list = try await installation.reports(offers).map(\.json)
        let now = installation.now()
        if offers.isEmpty, let id { try await installation.ledger.requireKnown(id) }
        let text = offers.isEmpty ? "No offers.\n" : offers.map { $0.line(at: now) }.joined()
        return CommandResult(text: text, json: ["offers": .array(list)])
    }
}

struct OfferShow: InstallationCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an offer, and how it can be reached now."
    )

    @OptionGroup var common: CommonOptions
    @Argument(help: "Its id, 64 hexadecimal digits, or its text: lno1…")
    var offer: String

    func perform() async throws(CommandFailure) -> CommandResult {
        let id = try OfferArgument.id(offer)
        let installation = try await Installation.open(settings.configuration())
        return try await installation.report(try await installation.offer(id))
    }
}

struct OfferDisable: InstallationCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Disable an offer. Invoices already issued can still be paid.",
        discussion: """
            An offer that a node made is also disabled at that node. Exit code 69 if the node does not answer: the offer \
            is then disabled here but enabled there; run the command again. Exit code 1 if the node cannot disable offers.
            """
    )

    @OptionGroup var common: CommonOptions
    @Argument(help: "Its id, 64 hexadecimal digits, or its text: lno1…")
    var offer: String

    func perform() async throws(CommandFailure) -> CommandResult {
        let id = try OfferArgument.id(offer)
        let installation = try await Installation.open(settings.configuration())
        let found: DisabledOffer?
        do {
            found = try await installation.responder().disableOffer(id)
        } catch let failure as CommandFailure {
            throw failure
        } catch let fault as LedgerFault {
            throw CommandFailure(fault)
        } catch {
            throw CommandFailure(.unavailable, error.readableReason)
        }
        guard let found else { throw CommandFailure(.no, "there is no offer with that id") }
        if let reason = found.reason { throw CommandFailure(found.isWorthRepeating ? .unavailable : .no, reason) }
        return try await installation.report(found.offer)
    }
}

extension IssuedOffer {
    fileprivate func line(at now: UnixTime) -> String {
        let amount = offer.amount.map { offer.currency == nil ? Millisatoshi($0).formatted : "\($0)" } ?? "any amount"
        let currency = offer.currency.map { " \($0)" } ?? ""
        let description = offer.description.map { "  \(JSONValue.string($0).serialized())" } ?? ""
        let node = maker.map { "  made by \($0.backend)" } ?? ""
        return "\(offer.id)  \(state(at: now).rawValue)  \(amount)\(currency)  \(account)\(description)\(node)\n"
    }
}

enum OfferArgument {
    static func id(_ text: String) throws(CommandFailure) -> OfferID {
        if let bytes = try? Hexadecimal.decode(text), let id = OfferID(bytes) { return id }
        return try offer(text).id
    }

    static func offer(_ text: String) throws(CommandFailure) -> Offer {
        try rethrowing(Offer(text)) { (fault: OfferFault) in CommandFailure(.usage, "that is no offer: \(fault.reason)")
        }
    }
}

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
        let responder = try installation.responder(importedKeys: ImportedKeys([offer.id: key]))
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

extension Installation {
    func offer(_ id: OfferID) async throws(CommandFailure) -> IssuedOffer {
        try await CommandFailure.asking(await ledger.offer(id)).found(or: "there is no offer with that id")
    }

    /// The nodes through which requests can reach the running service now; nil when no service could be asked.
    private func connectedPeers() async -> [PublicKey]? {
        guard configuration.hasOnionPeer, let answer = try? await folder.askService("/peers"),
            answer["configured"]?.bool == true
        else { return nil }
        return (answer["introductions"]?.array ?? []).compactMap { node in
            node.string.flatMap { try? PublicKey(hexadecimal: $0) }
        }
    }

    func reports(_ offers: [IssuedOffer]) async throws(CommandFailure) -> [CommandResult] {
        let responder = try responder(with: ImportedKeys())
        let (secrets, peers) = (try webhookSecrets(), await connectedPeers())
        let reached = try await CommandFailure.asking(
            await responder.reach(of: offers, secrets: secrets, peers: peers))
        return zip(offers, reached).map { offer, reach in
            let json = offer.json(at: now(), reach)
            let ways = reach.lines.map { "  \($0)\n" }
            return CommandResult(
                text: "\(offer.offer.text)\n\n" + json.lines(without: ["offer", "reach"]) + "reached:\n"
                    + ways.joined(),
                json: json)
        }
    }

    func report(_ offer: IssuedOffer) async throws(CommandFailure) -> CommandResult {
        try await reports([offer])[0]
    }
}
