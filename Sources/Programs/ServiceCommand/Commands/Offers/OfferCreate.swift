import ArgumentParser
import Bolt12
import ServiceSetup
import LightningCoding
import LightningCrypto
import OnionMessages
import ResponderCore
import ResponderModel

struct OfferCreate: InstallationCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create an offer of an account, and show how it can be reached now.",
        discussion: """
            An offer can be paid again and again (BOLT12). Its key is derived from offer-seed.key in the data \
            folder; any change to the offer is detected. If the account's node makes its own \
            offers, the node makes the offer and answers requests for it.
            """
    )

    @OptionGroup var common: CommonOptions
    @Argument(help: "The account that is paid.")
    var name: String
    @OptionGroup(title: "Offer") var terms: OfferOptions
    @Flag(help: "Also print a QR code.")
    var qr = false

    func perform() async throws(CommandFailure) -> CommandResult {
        let name = try AccountArgument(name)
        let installation = try await Installation.open(settings.configuration())
        let account = try await installation.existingAccount(named: installation.id(of: name))
        let terms = try terms.terms(
            standardDescription: account.settings.description,
            peers: installation.configuration.onionPeer.connect.map(\.nodeID), now: installation.now())
        let responder = try installation.responder()
        let issued = try await awaiting(await responder.issueOffer(terms, for: account.id)) { (fault: OfferRefusal) in
            CommandFailure(fault)
        }
        let report = try await installation.report(issued)
        // Uppercase gives a smaller QR code with the same meaning.
        return qr ? try report.withCode(issued.offer.text.uppercased()) : report
    }
}

struct OfferOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The price of one item: 21sat, 1500msat, 0.001btc (default: the payer chooses)."))
    var amount: String?
    @Option(help: ArgumentHelp("What the payment is for (default: the account's description).", valueName: "text"))
    var description: String?
    @Option(help: ArgumentHelp("The maximum number of items in one invoice; 0 for unlimited.", valueName: "count"))
    var quantityMax: UInt64?
    @Option(help: ArgumentHelp("How long it is valid: 90s, 15min, 24h, 7d.", valueName: "time"))
    var expires: String?
    @Option(help: ArgumentHelp("The issuer, such as alice@example.com.", valueName: "text"))
    var issuer: String?
    @Flag(help: "It can be paid only once.")
    var singleUse = false
    @Option(
        help: ArgumentHelp(
            "The introduction node of a path to our own key: 66 hexadecimal digits; repeat for "
                + "several paths, the best first (default: the nodes of onion-peer.connect).",
            valueName: "node-id"))
    var introduction: [String] = []
    @Flag(help: "Omit the issuer id and name only the paths; needs --introduction.")
    var noIssuerID = false

    func terms(standardDescription: String, peers: [PublicKey], now: UnixTime) throws(CommandFailure) -> OfferTerms {
        var terms = OfferTerms(description: description ?? standardDescription, way: try way(peers))
        terms.mayTakeOtherWay = introduction.isEmpty && !noIssuerID
        if let amount {
            terms.amount = try rethrowing(
                Millisatoshi(text: amount),
                as: CommandFailure(.usage, "--amount: \(amount) is not an amount; write 21sat, 1500msat, 0.001btc"))
        }
        terms.quantityMax = quantityMax
        terms.issuer = issuer
        if let expires { terms.absoluteExpiry = now.adding(seconds: try Self.seconds(expires)) }
        if singleUse { terms.maximumPayments = 1 }
        return terms
    }

    private func way(_ peers: [PublicKey]) throws(CommandFailure) -> OfferTerms.Way {
        guard !introduction.isEmpty else {
            var nodes: [PublicKey] = []
            for peer in peers where !nodes.contains(peer) { nodes.append(peer) }
            if let way = OfferTerms.Way(peers: nodes, withIssuerID: !noIssuerID) { return way }
            guard !noIssuerID else {
                throw CommandFailure(.usage, "--no-issuer-id needs --introduction, or the setting onion-peer.connect")
            }
            return .issuerID
        }
        let nodes = introduction.compactMap { try? PublicKey(hexadecimal: $0) }
        guard nodes.count == introduction.count else {
            throw CommandFailure(.usage, "--introduction: a node id has 66 hexadecimal digits")
        }
        return .introductions(nodes, withIssuerID: !noIssuerID)
    }

    private static let units: [(String, seconds: UInt64)] = [("min", 60), ("s", 1), ("h", 3_600), ("d", 86_400)]

    private static func seconds(_ text: String) throws(CommandFailure) -> UInt64 {
        for (unit, seconds) in units where text.hasSuffix(unit) {
            guard let count = UInt64(text.dropLast(unit.count)), count > 0 else { break }
            let (product, overflow) = count.multipliedReportingOverflow(by: seconds)
            if !overflow, product <= UInt64(UInt32.max) { return product }
        }
        throw CommandFailure(.usage, "--expires: \(text) is not a duration; write 90s, 15min, 24h, 7d")
    }
}
