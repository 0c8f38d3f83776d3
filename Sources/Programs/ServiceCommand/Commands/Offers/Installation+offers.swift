import Bolt12
import ServiceSetup
import LightningCoding
import LightningCrypto
import ResponderCore
import ResponderModel

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
