import Bolt12
import ServiceSetup
import LightningCoding
import LightningCrypto
import ResponderCore
import ResponderModel

extension Installation {
    func offer(_ id: OfferID) async throws(CommandFailure) -> IssuedOffer {
        let offer = try await CommandFailure.asking(await ledger.offer(id))
        guard let offer else { throw CommandFailure(.no, "there is no offer with that id") }
        return offer
    }

    /// The nodes through which requests can reach the running service now; nil when no service could be asked.
    private func connectedPeers() async -> [PublicKey]? {
        guard configuration.hasOnionPeer, let service = try? RunningService(folder),
            let answer = try? await service.get("/peers"), answer["configured"]?.bool == true
        else { return nil }
        return (answer["introductions"]?.array ?? []).compactMap { node in
            node.string.flatMap { try? PublicKey(hexadecimal: $0) }
        }
    }

    func reports(_ offers: [IssuedOffer]) async throws(CommandFailure) -> [CommandResult] {
        let peers = await connectedPeers()
        var reports: [CommandResult] = []
        // A node that does not answer is asked only once.
        var known: [BackendName: OfferCapability] = [:]
        for offer in offers { reports.append(try await report(offer, peers, &known)) }
        return reports
    }

    func report(_ offer: IssuedOffer) async throws(CommandFailure) -> CommandResult {
        guard let report = try await reports([offer]).first else { throw CommandFailure(.no, "no offer") }
        return report
    }

    private func report(
        _ offer: IssuedOffer, _ peers: [PublicKey]?, _ known: inout [BackendName: OfferCapability]
    ) async throws(CommandFailure) -> CommandResult {
        let now = self.now()
        let account = try await account(named: offer.account)
        let domain = try await CommandFailure.asking(await ledger.domain(offer.account.domain))
        let secrets = try webhookSecrets()
        let backend = offer.maker?.backend ?? account?.settings.backend
        if let backend, known[backend] == nil { known[backend] = await backends[backend]?.offerCapability }
        let reach = OfferReach(
            of: offer,
            webhook: domain.map { secrets.url(of: offer.account.name, in: $0) },
            backend: backend,
            capability: backend.flatMap { known[$0] },
            peers: peers,
            at: now
        )
        let json = offer.json(at: now, reach)
        let ways = reach.lines.map { "  \($0)\n" }
        return CommandResult(
            text: "\(offer.offer.text)\n\n" + json.lines(without: ["offer", "reach"]) + "reached:\n" + ways.joined(),
            json: json
        )
    }
}
