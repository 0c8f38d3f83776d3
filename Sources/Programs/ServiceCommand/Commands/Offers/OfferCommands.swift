import ArgumentParser
import Bolt12
import HTTPService
import ServiceSetup
import LightningCoding
import ResponderCore
import ResponderModel

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
