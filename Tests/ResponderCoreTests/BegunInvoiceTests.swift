import Bolt12
import EmbeddedNode
import LNURL
import LightningCoding
import LightningCrypto
import Platform
import Contracts
@testable import ResponderCore
import SQLiteLedger
import Testing

@Suite("An invoice that its node is still storing", .timeLimit(.minutes(2)))
struct BegunInvoiceTests {
    private let fixture: Fixture
    /// Whether the ledger had the invoice when the node was waited for.
    private let isRecorded = Guarded<Bool?>(nil)

    init() async throws {
        fixture = try await Fixture()
    }

    private func responder(_ end: Result<Void, BackendFault>) async throws -> Responder {
        let node = StubNode(fixture.node) {
            $0.begin = { [fixture, isRecorded] order throws(BackendFault) in
                let invoice = try await fixture.node.createInvoice(order)
                return BegunInvoice(invoice) { () async throws(BackendFault) in
                    let recorded = try? await fixture.ledger.invoice(invoice.paymentHash)
                    isRecorded.withLock { $0 = recorded != nil }
                    try end.get()
                }
            }
        }
        return try await fixture.responder(in: node)
    }

    private func pay(_ responder: Responder) async throws {
        _ = try await responder.payInvoice(
            for: LocalPart(name: fixture.alice()), version: nil, query: CallbackQuery(amount: Millisatoshi(1000)))
    }

    private func request(_ responder: Responder) async throws {
        let terms = OfferTerms(description: "Tea", amount: Millisatoshi(21_000))
        let offer = try await responder.issueOffer(terms, for: fixture.alice()).offer
        let draft = InvoiceRequestDraft(
            for: offer, metadata: Array(repeating: 1, count: 16), chain: ChainHash(.regtest))
        let request = try draft.signed(by: SecretKey(Array(repeating: 3, count: 32)), auxiliaryRandom: nil)
        _ = try await responder.invoice(answering: request.stream.bytes, for: fixture.alice(), arrival: .forwarder)
    }

    @Test("is recorded meanwhile, and issued when the node is done, over either protocol")
    func kept() async throws {
        try await pay(responder(.success(())))
        #expect(isRecorded.withLock { $0 } == true)
        isRecorded.withLock { $0 = nil }
        try await request(responder(.success(())))
        #expect(isRecorded.withLock { $0 } == true)
    }

    @Test("is not issued when the node fails, over either protocol")
    func lost() async throws {
        let fault = BackendFault.storage("full")
        await #expect(throws: Refusal.unavailable(.backend(.embedded, fault))) {
            try await pay(responder(.failure(fault)))
        }
        await #expect(throws: RequestRefusal.unavailable(.backend(.embedded, fault))) {
            try await request(responder(.failure(fault)))
        }
    }
}
