import LedgerRecords
import Bolt11
import EmbeddedNode
import LedgerContract
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import SQLiteLedger
import Testing
import Waiting
@testable import ResponderCore

@Suite("A notification about a payment", .timeLimit(.minutes(5)))
struct PaymentNotificationTests {
    typealias Notified = NotificationFixture

    private static let pending = NotificationText(
        title: "Payment Pending", body: "Tap to complete payment", lifetime: .dismissible)

    private func openInvoice(_ fixture: Notified) async throws -> PaymentHash {
        let pr = try #require(try await fixture.handle(Notified.invoice("21500")).json["pr"]?.string)
        return try Bolt11Invoice(pr).paymentHash
    }

    private func swap(_ status: String) -> String {
        #"{"event":"swap.update","data":{"id":"5e9a","status":"\#(status)"}}"#
    }

    @Test("A swap is advanced, and its payment awaited and recorded")
    func swapSettles() async throws {
        let fixture = try await Notified()
        let hash = try await openInvoice(fixture)
        let events = Guarded<[BackendEvent]>([])
        let node = StubNode(fixture.fixture.node) {
            $0.move = { event async throws(BackendFault) -> PaymentHash? in
                events.withLock { $0.append(event) }
                return hash
            }
        }
        let responder = try await fixture.notified(in: node)
        async let handled = fixture.handle(swap("transaction.mempool"), by: responder)
        try await fixture.clock.waitForSleepers(2)
        try await fixture.fixture.node.settle(hash, at: fixture.fixture.now)
        fixture.clock.advance(by: .seconds(1))
        let answer = try await handled
        #expect(events.withLock { $0 } == [.swapUpdated(id: "5e9a", SwapStatus("transaction.mempool"))])
        #expect(answer.silence == .notAsked)
        #expect(answer.record.outcome == .done)
        #expect(answer.record.paymentHash == hash)
        #expect(answer.text == NotificationText(title: "Received 21 sats", lifetime: .dismissible))
        #expect(try await fixture.fixture.ledger.invoice(hash)?.settlement != nil)
    }

    @Test(
        "A swap whose locked amount is not the agreed one is shown as such, and every other one as pending",
        arguments: ["transaction.lockupFailed", "swap.created", "transaction.claimed", "swap.dreamt"])
    func statuses(status: String) async throws {
        let handled = try await Notified().handle(swap(status))
        #expect(handled.silence == .notAsked)
        #expect(
            handled.text
                == (status == "transaction.lockupFailed"
                    ? NotificationText(
                        title: "Payment requires fee acceptance", body: "Tap to review updated fees",
                        lifetime: .dismissible) : Self.pending))
    }

    @Test("A received payment is reported at once, a pending one at the deadline")
    func arrivals() async throws {
        let fixture = try await Notified()
        let hash = try await openInvoice(fixture)
        let text = #"{"template":"payment_received","data":{"payment_hash":"\#(hash.hexadecimal)"}}"#
        let responder = try await fixture.notified()
        async let waiting = fixture.handle(text, by: responder)
        for _ in 0..<20 {
            try await fixture.clock.waitForSleepers(2)
            fixture.clock.advance(by: .seconds(1))
        }
        let late = try await waiting
        #expect(late.silence == .outOfTime)
        #expect(late.text == Self.pending)
        try await fixture.fixture.settle(hash)
        let handled = try await fixture.handle(text)
        #expect(handled.silence == .notAsked)
        #expect(handled.text?.title == "Received 21 sats")
    }

    @Test("A payment that the service's own follower has recorded meanwhile is found without waiting for the next one")
    func settledMeanwhile() async throws {
        let fixture = try await Notified()
        let hash = try await openInvoice(fixture)
        let settlement = try await fixture.fixture.node.settle(hash, at: fixture.fixture.now)
        let node = StubNode(fixture.fixture.node) {
            // The follower records between the ledger's answer and the node's.
            $0.beforeStatus = { _ = try? await fixture.fixture.ledger.record(settlement, from: .embedded) }
        }
        let text = #"{"template":"payment_received","data":{"payment_hash":"\#(hash.hexadecimal)"}}"#
        let handled = try await fixture.handle(text, by: try await fixture.notified(in: node))
        #expect(handled.record.outcome == .done)
        #expect(handled.text?.title == "Received 21 sats")
        #expect(try await fixture.fixture.ledger.cursor(of: .embedded) == settlement.cursor)
    }

    @Test("A payment that the node reports with an impossible time is not recorded")
    func contradiction() async throws {
        let fixture = try await Notified()
        let hash = try await openInvoice(fixture)
        let paid = try await fixture.fixture.node.settle(hash, at: fixture.fixture.now)
        let node = StatusOverridingNode(inner: fixture.fixture.node) { _ in
            .some(.settled(at: UnixTime(253_402_300_800), received: paid.received, preimage: paid.preimage))
        }
        let text = #"{"template":"payment_received","data":{"payment_hash":"\#(hash.hexadecimal)"}}"#
        let responder = try await fixture.notified(in: node)
        async let waiting = fixture.handle(text, by: responder)
        for _ in 0..<20 {
            try await fixture.clock.waitForSleepers(2)
            fixture.clock.advance(by: .seconds(1))
        }
        #expect(try await waiting.silence == .outOfTime)
        #expect(try await fixture.fixture.ledger.invoice(hash)?.settlement == nil)
    }

    @Test("A payment of another account, or of an invoice that can no longer be paid, is not awaited")
    func strangers() async throws {
        let fixture = try await Notified()
        let hash = try await openInvoice(fixture)
        let text = #"{"template":"payment_received","data":{"payment_hash":"\#(hash.hexadecimal)"}}"#
        #expect(try await fixture.handle(text, for: "bob").record.outcome == .refused)
        fixture.fixture.advance(seconds: 700)
        let handled = try await fixture.handle(text)
        #expect(handled.record.outcome == .done)
        #expect(handled.text == Self.pending)
    }

    @Test("Confirmed transactions are passed to the node")
    func confirmations() async throws {
        let fixture = try await Notified()
        let events = Guarded<[BackendEvent]>([])
        let responder = try await fixture.notified(
            in: StubNode(fixture.fixture.node) {
                $0.move = { event async throws(BackendFault) -> PaymentHash? in
                    events.withLock { $0.append(event) }
                    return nil
                }
            })
        let address = try await fixture.handle(
            #"{"template":"address_txs_confirmed","data":{"address":"bc1q"}}"#, by: responder)
        let transaction = try await fixture.handle(
            #"{"template":"tx_confirmed","data":{"tx_id":"00ff"}}"#, by: responder)
        #expect(address.silence == .notAsked && transaction.silence == .notAsked)
        #expect(address.text?.title == "Address transactions confirmed")
        #expect(transaction.text?.title == "Transaction confirmed")
        #expect(
            events.withLock { $0 } == [
                .addressTransactionsConfirmed(address: "bc1q"), .transactionConfirmed(id: "00ff"),
            ])
    }

    @Test("An event that does not apply to the node is ignored, not done; one that it handled is done")
    func nothingToDo() async throws {
        let fixture = try await Notified()
        let events = [
            swap("transaction.mempool"), #"{"template":"address_txs_confirmed","data":{"address":"bc1q"}}"#,
            #"{"template":"tx_confirmed","data":{"tx_id":"00ff"}}"#,
        ]
        let caring = try await fixture.notified(
            in: StubNode(fixture.fixture.node) { $0.move = { _ async throws(BackendFault) -> PaymentHash? in nil } })
        for event in events {
            let ignored = try await fixture.handle(event)
            #expect(ignored.record.outcome == .ignored)
            #expect(ignored.silence == .notAsked && ignored.cause == nil)
            #expect(try await fixture.handle(event, by: caring).record.outcome == .done)
        }
    }

    @Test("A failing node is reported to the operator only")
    func failing() async throws {
        let fixture = try await Notified()
        let responder = try await fixture.notified(
            in: StubNode(fixture.fixture.node) { $0.move = { _ async throws(BackendFault) in throw .timedOut } })
        for text in [swap("swap.expired"), #"{"template":"tx_confirmed","data":{"tx_id":"00ff"}}"#] {
            let handled = try await fixture.handle(text, by: responder)
            #expect(handled.silence == .notAsked)
            #expect(handled.record.outcome == .failed)
            #expect(handled.cause != nil)
        }
    }

    @Test(
        "Announcements only show a text",
        arguments: [
            ("incomingHtlc", "Payment Incoming", "Open now to receive - funds are being held"),
            ("cjitPaymentArrived", "Payment Incoming", "Open now to receive via new channel"),
            ("orderPaymentConfirmed", "Channel Ready", "Open the app to complete setup"),
            ("mutualClose", "Channel Closed", "Funds moved to savings"),
        ])
    func announcements(type: String, title: String, body: String) async throws {
        let handled = try await Notified().handle(#"{"event":"\#(type)","data":{"x":1}}"#)
        #expect(handled.silence == .notAsked)
        #expect(handled.text == NotificationText(title: title, body: body, lifetime: .dismissible))
    }

    @Test("Unknown types change nothing; undecryptable ones show a general text")
    func unknown() async throws {
        let fixture = try await Notified()
        let unknown = try await fixture.handle(#"{"event":"nwc_event","data":{"event":"{}"}}"#)
        #expect(unknown.silence == .unknownType)
        #expect(unknown.text == nil && unknown.failureText == nil)
        let closed = try await fixture.handle(#"{"aps":{"alert":{"payload":{"cipher":"x"}}}}"#)
        #expect(closed.silence == .undecipherable(.noKey))
        #expect(closed.text?.title == "New Activity" && closed.text?.body == "Open the app to see what has happened")
    }

    @Test("A custom type is answered by its handler, with payload and app data")
    func ownType() async throws {
        let fixture = try await Notified()
        let handler: NotificationHandler = { notification, account, _ in
            .reply(
                Reply([
                    "payload": .object(notification.payload), "app": notification.appData ?? .null,
                    "for": .string(account.text),
                ]))
        }
        let responder = try await fixture.notified(handlers: [NotificationType(rawValue: "own"): handler])
        let handled = try await fixture.handle(
            #"{"notification_type":"own","notification_payload":"{\"a\":1}","app_data":"d"}"#, by: responder)
        #expect(handled.text8 == #"{"payload":{"a":1},"app":"d","for":"alice@pay.example.com"}"#)
    }

    @Test("A handler of a type that money depends on is never called")
    func builtInType() async throws {
        let fixture = try await Notified()
        let handler: NotificationHandler = { _, _, _ in .reply(Reply(["pr": "lnbcrt1own"])) }
        let responder = try await fixture.notified(handlers: [
            .payInvoice: handler,
            .mutualClose: { _, _, _ in .done(news: .text(.init(title: "Own", lifetime: .dismissible))) },
        ])
        let invoice = try await fixture.handle(Notified.invoice("21000"), by: responder)
        #expect(try invoice.json["pr"]?.string?.hasPrefix("lnbcrt210n1") == true)
        let close = try await fixture.handle(#"{"event":"mutualClose","data":{}}"#, by: responder)
        #expect(close.text?.title == "Own")
    }
}
