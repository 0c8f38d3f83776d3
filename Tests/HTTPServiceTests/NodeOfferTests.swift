import LedgerRecords
import Bolt12
import EmbeddedNode
import HTTPTypes
import LNURL
import LedgerContract
import LightningCoding
import LightningCrypto
import ResponderCore
import ResponderModel
import SQLiteLedger
import Testing

@Suite("A node's own offers as the operator sees them", .timeLimit(.minutes(5)))
struct NodeOfferTests {
    private let service: TestService

    init() async throws { service = try await TestService() }

    private static func offer(_ order: OfferOrder) throws(BackendFault) -> Offer {
        do {
            var fields = OfferFields()
            fields.chains = [ChainHash(.regtest)]
            fields.description = order.description
            fields.amount = order.amount?.msat
            fields.absoluteExpiry = order.absoluteExpiry
            fields.issuerID = try SecretKey(Array(repeating: 8, count: 32)).publicKey
            return try Offer(fields)
        } catch {
            throw .malformedAnswer("no offer")
        }
    }

    private func create(_ body: String) async throws -> Answer {
        try await administer("/offers", body)
    }

    /// Sends admin requests for a node with its own offers.
    private func administer(
        _ path: String, _ body: String = "",
        switchingOff disable: @escaping @Sendable (OfferID) async throws(BackendFault) -> Void = { _ in }
    ) async throws -> Answer {
        let node = service.node
        var backend = StubBackend(node) { order throws(BackendFault) in try await node.createInvoice(order) }
        backend.capabilities.offers = .ownOffers
        backend.switchOff = disable
        backend.makeOffer = { order throws(BackendFault) in
            guard order.quantityMax == nil else { throw .unsupported }
            return try Self.offer(order)
        }
        return try await service.administer(
            path, method: .post, body: body, of: service.administration(service.responder(in: backend)))
    }

    @Test(
        "Disabling an offer reaches the node that made it; after a reported failure, repeating it succeeds"
    )
    func disabled() async throws {
        let made = try await create(#"{"account":"alice"}"#).json()
        #expect(made["madeBy"] == "embedded")
        #expect(made["madeByNode"]?.string == (try await service.node.nodeInfo().nodeID.hexadecimal))
        let path = "/offers/\(made["id"]?.string ?? "")/disable"
        let cannot = try await administer(path) { _ throws(BackendFault) in throw .unsupported }
        #expect(cannot.status == 409)
        #expect(cannot.body.contains("the offer stays enabled: embedded cannot disable its offers"))
        let silent = try await administer(path) { _ throws(BackendFault) in throw .timedOut }
        #expect(silent.status == 503)
        #expect(silent.body.contains("the offer is disabled here, but still enabled at embedded"))
        let reached = try await administer(path)
        #expect(reached.status == 200)
        let json = try reached.json()
        #expect(json["state"] == "disabled" && json["reach"]?["node"] == ["now": false])
        #expect(json["disabledAtNodeAt"]?.string == service.clock.now.iso8601)
        let unknown = try await administer("/offers/\(String(repeating: "0", count: 64))/disable")
        #expect(unknown.status == 404)
    }

    @Test("The admin listener has the node make the offer, and reports that the node answers for it")
    func route() async throws {
        let answer = try await create(#"{"account":"alice","amount":21000}"#)
        #expect(answer.status == 200)
        let json = try answer.json()
        let offer = try Self.offer(
            OfferOrder(label: "alice", description: "Pay Alice", amount: Millisatoshi(21_000)))
        #expect(json["offer"]?.string == offer.text)
        #expect(json["origin"] == "node")
        let webhook = service.secrets.url(of: try AddressName("alice"), in: service.domain).text
        #expect(
            json["reach"] == [
                "forwarder": ["now": false, "webhook": .string(webhook), "overLightning": false],
                "node": ["now": true], "peer": ["now": false, "introductions": []],
            ])
        #expect(try await service.ledger.offer(offer.id)?.origin == .node)
    }

    @Test(
        "Terms that the node does not support are refused",
        arguments: [
            (#"{"account":"alice","maximumPayments":1}"#, 400),
            (
                #"{"account":"alice","introduction":"0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"}"#,
                400
            ),
            (#"{"account":"alice","quantityMax":2}"#, 409),
        ])
    func refused(body: String, status: Int) async throws {
        #expect(try await create(body).status == status)
        #expect(try await service.ledger.offers(of: nil).isEmpty)
    }

    private func reach(
        _ origin: IssuedOffer.Origin, _ offers: BackendCapabilities.Offers?, isDisabled: Bool = false,
        isOffAtNode: Bool = false
    ) throws -> OfferReach {
        try reach(origin, capability: offers.map { .success($0) }, isDisabled: isDisabled, isOffAtNode: isOffAtNode)
    }

    private func reach(
        _ origin: IssuedOffer.Origin, capability: OfferCapability?, isDisabled: Bool = false, isOffAtNode: Bool = false,
        webhook: String = "https://example.com/w", peers: [PublicKey]? = nil, backend: BackendName? = .embedded,
        expiry: UnixTime? = nil
    ) throws -> OfferReach {
        let issued = IssuedOffer(
            offer: try Self.offer(OfferOrder(label: "alice", description: "Tea", absoluteExpiry: expiry)),
            account: try AccountID("alice@example.com"),
            origin: origin, createdAt: service.clock.now, disabledAt: isDisabled ? service.clock.now : nil,
            disabledAtNodeAt: isOffAtNode ? service.clock.now : nil)
        return OfferReach(
            of: issued, webhook: try HTTPURL(webhook), backend: backend, capability: capability, peers: peers,
            at: service.clock.now)
    }

    @Test(
        "The reach of a node's own offer is the node, even when disabled here; none where the node has no offers")
    func nodeReach() throws {
        let only = "not through a forwarder or our own Lightning peer: only the node has the offer's key"
        #expect(
            try reach(.node, .ownOffers).lines
                == ["through the node: embedded answers requests for it and creates its invoices", only])
        #expect(
            try reach(.node, .ownOffers, isDisabled: true).lines
                == [
                    "still through the node: embedded answers requests for it until `offer disable` succeeds there",
                    only,
                ])
        // Changing who makes new offers does not affect those that the node has made.
        #expect(try reach(.node, .builtHere).isAnsweredByNode)
        for over in [
            try reach(.node, .ownOffers, isDisabled: true, isOffAtNode: true),
            try reach(.node, capability: .success(.ownOffers), expiry: UnixTime(1)),
            try reach(.node, capability: nil, backend: nil),
        ] {
            #expect(over.lines == ["not reachable: requests for it are no longer answered"])
        }
        let gone = try reach(.node, nil)
        #expect(gone.lines == ["not reachable from here: no node named embedded is configured"])
        #expect(gone.json["node"] == ["now": false])
    }

    @Test(
        "When a node does not answer, the reach is reported as unknown, not as unreachable")
    func silentNode() throws {
        let reach = try reach(.issued, capability: .failure(.timedOut))
        #expect(
            reach.lines == [
                "unknown: embedded does not answer, and no invoice is issued for the offer until it does"
            ])
        #expect(reach.json["forwarder"]?["now"] == false)
        #expect(reach.json["nodeAnswers"] == false)
        #expect(
            try self.reach(.issued, capability: .failure(.timedOut), isDisabled: true).lines
                == ["not reachable: requests for it are no longer answered"])
        #expect(try self.reach(.issued, .builtHere).json["nodeAnswers"] == nil)
    }

    @Test(
        "A webhook on a loopback address is said to work on this machine only; another is not",
        arguments: [
            ("http://127.0.0.1:8080/w", true), ("http://[::1]/w", true), ("https://example.com/w", false),
        ])
    func loopback(webhook: String, isLocal: Bool) throws {
        let line = try #require(try reach(.issued, capability: .success(.builtHere), webhook: webhook).lines.first)
        #expect(line.hasSuffix("; this URL only works on this machine)") == isLocal)
    }

    @Test("A connected node at which none of the offer's paths begins is no way to it")
    func otherPeers() throws {
        let reach = try reach(.issued, capability: .success(.builtHere), peers: [Sample.node(1)])
        #expect(reach.introductions == [])
        #expect(reach.json["peer"]?["now"] == false)
    }

    @Test("Where offers cannot be paid, no path reaches them")
    func unpayable() throws {
        #expect(try reach(.issued, .builtHere).json["forwarder"]?["now"] == true)
        for capability in [BackendCapabilities.Offers.none, .ownOffers] {
            #expect(try reach(.issued, capability).lines == ["not reachable: embedded does not support BOLT12"])
            #expect(try reach(.issued, capability).json["forwarder"]?["now"] == false)
        }
    }
}
