import Bolt12
import EmbeddedNode
import Foundation
import LNURL
import LedgerContract
import LightningCoding
import LightningCrypto
import Platform
import ResponderModel
import SQLiteLedger
import TemporaryFolders
@testable import ResponderCore

/// A responder in a folder of its own, with an embedded node and the account alice. Its clock is stopped, and its
/// randomness is a counter.
final class Fixture: Sendable {
    let folder = TemporaryFolder()
    let time = Guarded(UnixTime(1_790_000_000))
    let drawn = Guarded(UInt64(0))
    let ledger: LedgerDatabase
    let node: EmbeddedBackend

    init() async throws {
        ledger = try await LedgerDatabase.open(at: folder.path + "/ledger.sqlite")
        _ = try await ledger.putMainDomain(at: HTTPURL("https://pay.example.com"))
        node = try await EmbeddedBackend(
            EmbeddedConfiguration(databasePath: folder.path + "/node.sqlite"),
            key: Self.nodeKey(),
            clock: { [time] in time.withLock { $0 } }
        )
        try await putAlice { _ in }
    }

    /// The key of the node.
    static func nodeKey() throws -> SecretKey { try SecretKey(Array(repeating: 2, count: 32)) }

    /// Pays an invoice, and records what the node then reports.
    func settle(_ paymentHash: PaymentHash) async throws {
        _ = try await ledger.record(node.settle(paymentHash, at: now), from: .embedded)
    }

    var now: UnixTime { time.withLock { $0 } }

    func advance(seconds: UInt64) {
        time.withLock { $0 = $0.adding(seconds: seconds) }
    }

    func alice() throws -> AccountID { try AccountID("alice@pay.example.com") }

    func putAlice(_ change: (inout AccountSettings) -> Void) async throws {
        var settings = AccountSettings(description: "For alice", backend: .embedded)
        change(&settings)
        _ = try await ledger.putAccount(
            named: alice(),
            settings: settings,
            metadata: PayMetadata.build(
                for: LightningAddress("alice@pay.example.com"),
                description: settings.description
            ),
            at: now
        )
    }

    /// The offers' issuer, always with the same seed and key.
    func issuer(seed: UInt8 = 5) throws -> OfferIssuer {
        OfferIssuer(
            seed: try OfferSeed(SecretBytes(Array(repeating: seed, count: 32))),
            nodeKey: try SecretKey(Array(repeating: 6, count: 32))
        )
    }

    /// The key of the payer who asks for invoices.
    static func payerKey() throws -> SecretKey { try SecretKey(Array(repeating: 3, count: 32)) }

    /// A payer's request for an invoice for an offer.
    func request(
        _ offer: Offer, metadata: UInt8 = 1, _ change: (inout InvoiceRequestDraft) -> Void = { _ in }
    ) throws -> InvoiceRequest {
        var draft = InvoiceRequestDraft(
            for: offer, metadata: Array(repeating: metadata, count: 16), chain: ChainHash(.regtest))
        change(&draft)
        return try draft.signed(by: Self.payerKey(), auxiliaryRandom: nil)
    }

    func responder(
        in front: (any ReceiveBackend)? = nil,
        offers: OfferIssuer? = nil,
        maximumOpenInvoices: UInt64? = nil,
        limitsLifetime: UInt64 = 5,
        ageClock: MonotonicClock? = nil,
        asksNode: Bool = false
    ) async throws -> Responder {
        try Responder(
            ledger: ledger,
            backends: [.embedded: front ?? node],
            settings: ResponderSettings(
                challengeKey: SecretBytes(Array(repeating: 4, count: 32)),
                limitsLifetime: limitsLifetime,
                maximumOpenInvoices: maximumOpenInvoices,
                asksNode: asksNode
            ),
            offers: offers ?? issuer(),
            clock: { [time] in time.withLock { $0 } },
            ageClock: ageClock
                ?? MonotonicClock(
                    now: { [time] in MonotonicTime(sinceStart: .seconds(Int64(clamping: time.withLock { $0.seconds })))
                    },
                    sleep: { _ in }),
            random: { [drawn] (count: Int) throws(CryptoFault) -> [UInt8] in
                let number = drawn.withLock { number in
                    number += 1
                    return number
                }
                let hash = SHA256.hash(withUnsafeBytes(of: number.bigEndian) { Array($0) })
                return Array((hash + hash).prefix(count))
            }
        )
    }
}

/// What payers ask, each time looked up anew.
extension Responder {
    private func found(_ recipient: Recipient) async throws(Refusal) -> any PayResponder {
        try await Refusal.asking(await payResponder(for: recipient))
    }

    func payRequest(for name: AccountID) async throws(Refusal) -> PayRequest {
        try await found(Recipient(name)).payRequest(for: Payer()).request
    }

    func payInvoice(_ query: CallbackQuery, for name: AccountID) async throws(Refusal) -> PayInvoice {
        try await found(Recipient(name)).payInvoice(query, token: nil, for: Payer()).invoice
    }

    func invoice(
        answering bytes: [UInt8], for name: AccountID, arrival: Arrival
    ) async throws(RequestRefusal) -> Bolt12Invoice {
        try await RequestRefusal.asking(await payResponder(for: Recipient(name)))
            .invoice(answering: bytes, to: nil, issued: nil, arrival: arrival)
    }
}
