import LedgerRecords
import Bolt11
import Bolt12
import EmbeddedNode
import LNURL
import LightningCoding
import LightningCrypto
import Platform
@testable import ResponderModel
import SQLiteLedger
import Testing
import Waiting
@testable import ResponderCore

@Suite("An invoice that no payer will see", .timeLimit(.minutes(5)))
struct DiscardedInvoiceTests {
    private let fixture: Fixture
    private let node: FakeNodeBackend

    init() async throws {
        fixture = try await Fixture()
        node = FakeNodeBackend(fixture.node)
    }

    private func pay(_ amount: UInt64 = 21_000) async throws -> BackendInvoice {
        let invoice = try await fixture.responder(in: node).payInvoice(
            CallbackQuery(amount: Millisatoshi(amount)), for: fixture.alice())
        return BackendInvoice(bolt11: invoice.pr, paymentHash: try Bolt11Invoice(invoice.pr).paymentHash)
    }

    private func request(_ offer: Offer, metadata: UInt8) throws -> [UInt8] {
        let draft = InvoiceRequestDraft(
            for: offer, metadata: Array(repeating: metadata, count: 16), chain: ChainHash(.regtest))
        return try draft.signed(by: SecretKey(Array(repeating: 3, count: 32)), auxiliaryRandom: nil).stream.bytes
    }

    private func offer(_ maximumPayments: UInt64? = nil) async throws -> Offer {
        var terms = OfferTerms(description: "Tea", amount: Millisatoshi(21_000))
        terms.maximumPayments = maximumPayments
        return try await fixture.responder().issueOffer(terms, for: fixture.alice()).offer
    }

    private func answer(
        _ request: [UInt8], by node: any ReceiveBackend
    ) async throws -> RequestRefusal? {
        let (responder, alice) = (try await fixture.responder(in: node), try fixture.alice())
        do throws(RequestRefusal) {
            _ = try await responder.invoice(answering: request, for: alice, arrival: .forwarder)
            return nil
        } catch {
            return error
        }
    }

    @Test("is not ordered for an offer that has reached its maximum")
    func usedUp() async throws {
        let offer = try await offer(1)
        #expect(try await answer(request(offer, metadata: 1), by: node) == nil)
        #expect(try await answer(request(offer, metadata: 2), by: node) == .offerExhausted)
        #expect(node.ordered.withLock { $0 } == 1)
    }

    @Test("is not ordered from a node that no payer can reach")
    func unreachable() async throws {
        let info = try await fixture.node.nodeInfo()
        node.info.withLock {
            $0 = NodeInfo(nodeID: info.nodeID, network: .regtest, blockHeight: 100, isPublic: false)
        }
        #expect(try await answer(request(offer(), metadata: 1), by: node) == .unavailable(.nodeNotReachable))
        #expect(node.ordered.withLock { $0 } == 0)
    }

    @Test(
        "is not ordered for an offer of a node that is not synced; the request may be answered later"
    )
    func behind() async throws {
        let info = try await fixture.node.nodeInfo()
        node.info.withLock {
            $0 = NodeInfo(nodeID: info.nodeID, network: .regtest, blockHeight: 100, isSynchronized: false)
        }
        let refusal = try await answer(request(offer(), metadata: 1), by: node)
        #expect(refusal == .unavailable(.nodeBehind))
        #expect(refusal?.isTransient == true)
        #expect(node.ordered.withLock { $0 } == 0)
        // BOLT11 payers count from the height that they know.
        _ = try await pay()
    }

    @Test("is not even made when its offer was disabled before")
    func switchedOffBefore() async throws {
        let offer = try await offer()
        _ = try await fixture.ledger.disableOffer(offer.id, at: fixture.now)
        let orders = Guarded(0)
        let node = StubNode(fixture.node) { [fixture] in
            $0.make = { order async throws(BackendFault) in
                orders.withLock { $0 += 1 }
                return try await fixture.node.createInvoice(order)
            }
        }
        #expect(try await answer(request(offer, metadata: 1), by: node) == .offerDisabled)
        #expect(orders.withLock { $0 } == 0)
    }

    @Test("is canceled when its offer is disabled while the node makes it")
    func switchedOff() async throws {
        let offer = try await offer()
        let made = Guarded<PaymentHash?>(nil)
        let node = StubNode(fixture.node) { [fixture] in
            $0.make = { order async throws(BackendFault) in
                let invoice = try await fixture.node.createInvoice(order)
                made.withLock { $0 = invoice.paymentHash }
                _ = try? await fixture.ledger.disableOffer(offer.id, at: fixture.now)
                return invoice
            }
        }
        #expect(try await answer(request(offer, metadata: 1), by: node) == .offerDisabled)
        let hash = try #require(made.withLock { $0 })
        #expect(try await fixture.node.status(of: hash) == .closed)
    }

    @Test(
        "is to be canceled by the hash inside it, not by the one that the node reports, which may be another payer's")
    func namedHash() async throws {
        let first = try await pay()
        let inside = Guarded<PaymentHash?>(nil)
        node.forge.withLock { forge in
            forge = { invoice in
                inside.withLock { $0 = invoice.paymentHash }
                return BackendInvoice(bolt11: invoice.bolt11, paymentHash: first.paymentHash)
            }
        }
        await #expect(throws: Refusal.unavailable(.inspection(.embedded, .paymentHash))) { try await pay() }
        let work = try #require(try await fixture.ledger.outbox(OutboxQuery()).elements.first)
        #expect(InvoiceMismatch(work)?.paymentHash == inside.withLock { $0 })
        #expect(try await fixture.node.status(of: first.paymentHash) == .open)
    }

    @Test("is not canceled when a payer holds it", arguments: [21_000, 22_000] as [UInt64])
    func anotherPayers(amount: UInt64) async throws {
        let first = try await pay()
        node.forge.withLock { forge in forge = { _ in first } }
        await #expect(throws: Refusal.self) { try await pay(amount) }
        #expect(node.canceled.withLock { $0.isEmpty })
        #expect(try await fixture.node.status(of: first.paymentHash) == .open)
    }

    @Test("is one that the ledger does not have; while the ledger cannot be read, a payer may hold it")
    func unissued() async throws {
        let (held, other) = (try await pay().paymentHash, try PaymentHash(Array(repeating: 7, count: 32)))
        #expect(await fixture.ledger.isUnissued(held) == false)
        #expect(await fixture.ledger.isUnissued(other))
        await fixture.ledger.close()
        #expect(await fixture.ledger.isUnissued(other) == false)
    }

    @Test(
        "is canceled when it arrives after the deadline of its order, unless a payer may hold it",
        arguments: [true, false]
    )
    func late(isUnissued: Bool) async throws {
        let (ordered, deadline, slow) = (FirstAnswer<Void>(), FirstAnswer<Void>(), FirstAnswer<Void>())
        let made = Guarded<PaymentHash?>(nil)
        let inner = fixture.node
        let node = StubNode(inner) {
            $0.make = { order async throws(BackendFault) in
                ordered.give(())
                await slow.value()
                let invoice = try await inner.createInvoice(order)
                made.withLock { $0 = invoice.paymentHash }
                return invoice
            }
        }
        let asked = FirstAnswer<PaymentHash>()
        let backend = ConfiguredBackend(
            node, load: BackendLoad(calls: 1),
            isUnissued: { hash in
                asked.give(hash)
                return isUnissued
            }, clock: MonotonicClock(now: { .now }, sleep: { _ in await deadline.value() }))
        let order = InvoiceOrder(amount: Millisatoshi(1000), description: .text("x"), expiry: 60, label: "late")
        let caller = Task { () -> BackendFault? in
            do throws(BackendFault) {
                _ = try await backend.createInvoice(order)
                return nil
            } catch {
                return error
            }
        }
        await ordered.value()
        deadline.give(())
        #expect(await caller.value == .timedOut)
        slow.give(())
        let hash = await asked.value()
        #expect(made.withLock { $0 } == hash)
        if isUnissued { try await eventually { try await inner.status(of: hash) != .open } }
        #expect(try await inner.status(of: hash) == (isUnissued ? .closed : .open))
    }
}
