import LedgerRecords
import Bolt12
import LedgerContract
import PostgreSQLCluster
import PostgreSQLLedger
import ResponderModel
import TemporaryFolders
import Testing

@Suite(
    "The log of the server", .timeLimit(.minutes(5)),
    .enabled(if: PostgreSQLCluster.isWanted, "\(PostgreSQLCluster.missing ?? "")"))
struct RefusalLogTests {
    @Test("has no line of an invoice that is refused, as for an offer that is used up or a challenge used before")
    func refusals() async throws {
        let cluster = try await PostgreSQLCluster(settings: "log_min_messages = error")
        let settings = try ServerSettings(url: cluster.url("postgres"))
        try await ServerLedger.migrate(settings)
        let ledger = try await ServerLedger.open(settings)
        try await ledger.put("alice")
        let offer = try await ledger.putOffer(Sample.offer(1, maximumPayments: 1))
        let request = InvoiceClaim.offer(OfferClaim(offer: offer.offer.id, request: RequestDigest(of: [1])))
        let other = InvoiceClaim.offer(OfferClaim(offer: offer.offer.id, request: nil))
        let challenge = InvoiceClaim.challenge(Sample.challenge(1))
        // Makes the partition.
        try await ledger.record(Sample.invoice(9), using: nil)
        func lines() throws -> [String] {
            String(decoding: try contentsOfFile(cluster.folder.path + "/log/server"), as: UTF8.self)
                .split(separator: "\n").map(String.init).filter { $0.contains("ERROR") }
        }
        let before = try lines()
        try await ledger.record(Sample.offeredInvoice(1, for: offer), using: request)
        try await ledger.record(Sample.invoice(2), using: challenge)
        try await ledger.record(Sample.invoice(3), using: .request(RequestDigest(of: [2])))
        for (claim, fault) in [
            (request, LedgerFault.requestAnswered), (other, .offerExhausted), (challenge, .challengeUsed),
            (.request(RequestDigest(of: [2])), .requestAnswered),
        ] {
            await #expect(throws: fault) { try await ledger.record(Sample.invoice(4), using: claim) }
        }
        _ = try await ledger.disableOffer(offer.offer.id, at: Sample.start)
        await #expect(throws: LedgerFault.offerDisabled) { try await ledger.record(Sample.invoice(4), using: other) }
        let unknown = InvoiceClaim.offer(OfferClaim(offer: try Sample.offer(2).offer.id, request: nil))
        await #expect(throws: LedgerFault.unknownOffer) { try await ledger.record(Sample.invoice(4), using: unknown) }
        #expect(try await ledger.invoice(Sample.invoice(4).paymentHash) == nil)
        // The setting ends with its transaction.
        try await ledger.record(Sample.invoice(4), using: nil)
        #expect(try lines() == before)
        await ledger.close()
    }
}
