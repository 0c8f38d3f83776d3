import LedgerRecords
import Bolt12
import CoreMetrics
import Glibc
import LNURL
import LightningCoding
import LightningCrypto
import Logging
import OnionMessages
import ResponderCore
import ResponderModel
import SQLiteLedger
import TemporaryFolders
import Testing
@testable import CoreLightning
@testable import OnionPeer

/// Real Core Lightning nodes request and pay invoices, when the environment tells how to reach them:
/// JUDGE_PAYER_SOCKET, JUDGE_STRANGER_SOCKET (a node without channels) and JUDGE_PAYEE_SOCKET name their sockets,
/// JUDGE_BETWEEN is the address of the node that our own connects to, `<node id>@host:port`.
@Suite(
    "Core Lightning nodes request and pay invoices", .enabled(if: Live.isThere), .serialized,
    .timeLimit(.minutes(5)))
struct LiveTests {
    @Test("Offers of all kinds are answered and paid", .timeLimit(.minutes(5)), arguments: LiveOffer.allCases)
    func paid(_ kind: LiveOffer) async throws {
        try await Live.run { live in
            let offer = try await live.offer(kind.terms)
            for asker in [live.payer, live.stranger] {
                let found = try await asker.perform("fetchinvoice", kind.parameters(offer.text))
                let invoice = try Bolt12Invoice(#require(found["invoice"]?.string))
                #expect(invoice.amount == kind.amount)
                #expect(try await live.ledger.invoice(invoice.paymentHash)?.account == live.alice)
            }
            let found = try await live.payer.perform("fetchinvoice", kind.parameters(offer.text))
            let text = try #require(found["invoice"]?.string)
            let paid = try await live.payer.perform("xpay", ["invstring": .string(text), "retry_for": 20])
            let preimage = try Preimage(hexadecimal: #require(paid["payment_preimage"]?.string))
            #expect(try preimage.paymentHash == Bolt12Invoice(text).paymentHash)
        }
    }

    @Test("Disabled and expired offers are refused", .timeLimit(.minutes(5)))
    func refused() async throws {
        try await Live.run { live in
            let disabled = try await live.offer { _ in }
            _ = try await live.ledger.disableOffer(disabled.id, at: .now())
            let expired = try await live.offer { $0.absoluteExpiry = UnixTime.now().adding(seconds: 2) }
            try await Task.sleep(for: .seconds(4))
            // Remote node sent failure message.
            await #expect(throws: CommandFault.code(1004)) { try await live.fetch(disabled) }
            // The payer's own node says that the offer has expired.
            await #expect(throws: CommandFault.self) { try await live.fetch(expired) }
        }
    }

    @Test("A hundred requests below the intermediate node's rate limit are all answered", .timeLimit(.minutes(5)))
    func paced() async throws {
        try await Live.run { live in
            let offer = try await live.offer { _ in }
            for _ in 0..<100 {
                try await live.fetch(offer)
                try await Task.sleep(for: .milliseconds(265))
            }
        }
    }
}

/// Variants of an offer.
enum LiveOffer: String, CaseIterable, Sendable {
    case fixedAmount, anyAmount, withoutIssuerID, quantity, note

    var amount: Millisatoshi { Millisatoshi(self == .quantity ? 63_000 : 21_000) }

    func terms(_ terms: inout OfferTerms) {
        if self == .anyAmount { terms.amount = nil }
        if self == .quantity { terms.quantityMax = 5 }
        if self == .withoutIssuerID, case .introductions(let nodes, _) = terms.way {
            terms.way = .introductions(nodes, withIssuerID: false)
        }
    }

    func parameters(_ offer: String) -> JSONObject {
        var parameters: JSONObject = ["offer": .string(offer), "timeout": 10]
        switch self {
        case .anyAmount: parameters.append("amount_msat", 21_000)
        case .quantity: parameters.append("quantity", 3)
        case .note: parameters.append("payer_note", "for the tea")
        case .fixedAmount, .withoutIssuerID: break
        }
        return parameters
    }
}

extension CommandFault {
    static func code(_ code: Int64) -> CommandFault {
        .refused(code: code, message: "Remote node sent failure message")
    }
}

/// Our responder and peer with the payee's node, and the payers' nodes.
struct Live: Sendable {
    let payer: CoreLightningBackend
    let stranger: CoreLightningBackend
    let ledger: LedgerDatabase
    let responder: Responder
    let between: PeerAddress
    let alice: AccountID

    static let isThere = ["PAYER_SOCKET", "STRANGER_SOCKET", "PAYEE_SOCKET", "BETWEEN"].allSatisfy {
        variable($0) != nil
    }

    private static func variable(_ name: String) -> String? {
        getenv("JUDGE_" + name).map { String(cString: $0) }
    }

    private static func node(_ name: String) throws -> CoreLightningBackend {
        let socket = try #require(variable(name + "_SOCKET"))
        return try CoreLightningBackend(CoreLightningConfiguration(transport: .socket(path: socket)))
    }

    static func run(_ body: @Sendable (Live) async throws -> Void) async throws {
        let folder = TemporaryFolder()
        let ledger = try await LedgerDatabase.open(at: folder.path + "/ledger.sqlite")
        let name = try #require(BackendName("cln"))
        let alice = try AccountID("alice@pay.example.com")
        _ = try await ledger.putMainDomain(at: HTTPURL("https://pay.example.com"))
        _ = try await ledger.putAccount(
            named: alice, settings: AccountSettings(description: "For alice", backend: name),
            metadata: PayMetadata.build(for: LightningAddress("alice@pay.example.com"), description: "For alice"),
            at: .now())
        let key = try SecretKey.random()
        let responder = try Responder(
            ledger: ledger, backends: [name: node("PAYEE")],
            settings: ResponderSettings(
                challengeKey: SecretBytes(SystemRandom.bytes(32))),
            offers: OfferIssuer(seed: OfferSeed(SecretBytes(SystemRandom.bytes(32))), nodeKey: key))
        let between = try PeerAddress(#require(variable("BETWEEN")))
        let live = Live(
            payer: try node("PAYER"), stranger: try node("STRANGER"), ledger: ledger, responder: responder,
            between: between, alice: alice)
        try await RunningNode.run(key: key) {
            $0.peers = [between]
        } _: { running in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let logger = Logger(label: "live") { _ in SwiftLogNoOpLogHandler() }
                    await OnionAnswerer(node: running.node, logger: logger, answer: responder.answer).run()
                }
                try await running.wait { !$0.introductions.isEmpty }
                try await body(live)
                group.cancelAll()
            }
        }
    }

    /// An offer for 21 sat through the intermediate node, unless changed.
    func offer(_ change: (inout OfferTerms) -> Void) async throws -> Offer {
        var terms = OfferTerms(
            description: "Tea", amount: Millisatoshi(21_000),
            way: .introduction(between.nodeID, withIssuerID: true))
        change(&terms)
        return try await responder.issueOffer(terms, for: alice).offer
    }

    /// Requests an invoice.
    func fetch(_ offer: Offer) async throws {
        _ = try await payer.perform("fetchinvoice", ["offer": .string(offer.text), "timeout": 10])
    }
}
