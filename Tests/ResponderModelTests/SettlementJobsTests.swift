import LightningCoding
import LightningCrypto
import Testing
@testable import ResponderModel

@Suite("What follows from a settled payment", .timeLimit(.minutes(5)))
struct SettlementJobsTests {
    private func stored(webhook: Bool, owner: Bool) throws -> String {
        var settings = AccountSettings(description: "Pay Alice", backend: .embedded)
        if webhook {
            settings.settlementWebhook = SettlementWebhook(
                url: try HTTPURL("https://example.com/paid"), secretFile: "/secret")
        }
        if owner { settings.owner = try SecretKey([UInt8](repeating: 1, count: 32)).publicKey }
        return settings.json.serialized()
    }

    private func following(_ settings: String?, tellingAll: Bool) throws -> [String] {
        let invoice = IssuedInvoice(
            paymentHash: try PaymentHash([UInt8](repeating: 7, count: 32)), account: try AccountID("alice@example.com"),
            backend: .embedded, label: "x", bolt11: nil, amount: Millisatoshi(1), createdAt: UnixTime(1),
            expiresAt: UnixTime(2), origin: .lnurl(InvoiceOrigin.PayerWords(metadataVersion: 1)))
        let found = jobs(following: invoice, for: SettlementListeners(ofAccount: settings, tellingAll: tellingAll))
        #expect(found.allSatisfy { $0.account == invoice.account })
        return found.map { "\($0.id)".replacing(String(repeating: "07", count: 32), with: "") }
    }

    @Test(
        "An account's webhook, or that of all accounts, is told once; an owner beside it; of a removed account neither")
    func listeners() throws {
        let (webhook, owner) = (try stored(webhook: true, owner: false), try stored(webhook: false, owner: true))
        let both = try stored(webhook: true, owner: true)
        #expect(try following(stored(webhook: false, owner: false), tellingAll: false) == [])
        #expect(try following(webhook, tellingAll: false) == ["payment-"])
        #expect(try following(webhook, tellingAll: true) == ["payment-"])
        #expect(try following(owner, tellingAll: false) == ["owner-"])
        #expect(try following(both, tellingAll: false) == ["payment-", "owner-"])
        #expect(try following(nil, tellingAll: false) == [])
        #expect(try following(nil, tellingAll: true) == ["payment-"])
    }

    @Test(
        "Of settings that cannot be read everybody is told: the job reads them again, and fails where it can be seen",
        arguments: ["{", "[]", "{\"description\":\"x\",\"ofANewerVersion\":1}"])
    func unreadable(settings: String) throws {
        #expect(try following(settings, tellingAll: false) == ["payment-", "owner-"])
    }

    @Test("A job is read from its work as it was written, and from nothing else", arguments: ["{}", "[]", "x", ""])
    func codec(damaged: String) throws {
        let job = SettlementWebhookJob(
            try PaymentHash([UInt8](repeating: 7, count: 32)), to: try AccountID("alice@example.com"))
        let work = OutboxWork(job, at: UnixTime(1))
        #expect(SettlementWebhookJob(work) == job)
        #expect(work.kind == .settlementWebhook && work.state == .pending(dueAt: UnixTime(1)))
        let other = OutboxWork(
            id: work.id, kind: work.kind, account: work.account, payload: Array(damaged.utf8), createdAt: UnixTime(1),
            state: work.state)
        #expect(SettlementWebhookJob(other) == nil)
    }
}
