import Bolt11
import LNURL
import LightningCoding
import ResponderModel
import Testing
@testable import ResponderCore

@Suite("A changed description", .timeLimit(.minutes(5)))
struct StandingMetadataTests {
    typealias Notified = NotificationFixture

    private struct Seen: Hashable {
        let description: String
        let maxAge: UInt64?
    }

    /// What info returns, once the invoice of the same moment is known to commit to it.
    private func seen(_ fixture: Notified, _ maxAge: UInt64) async throws -> Seen {
        let responder = try await fixture.notified(infoMaxAge: maxAge)
        let info = try await fixture.handle(Notified.info(), by: responder)
        let metadata = try #require(try info.json["metadata"]?.string)
        let invoice = try await fixture.handle(
            Notified.invoice("1000", reply: "https://ln.example/\(fixture.fixture.now.seconds)"), by: responder)
        let pr = try Bolt11Invoice(try #require(try invoice.json["pr"]?.string))
        #expect(pr.description == .hash(PayMetadata.descriptionHash(of: metadata)))
        return Seen(description: try PayMetadata(parsing: metadata).plainText, maxAge: info.reply?.maxAge)
    }

    @Test("takes effect, in info and invoice alike, when the last copy of the old one has expired")
    func change() async throws {
        let fixture = try await Notified { $0.description = "old" }
        let maxAge: UInt64 = 60
        fixture.fixture.advance(seconds: 1000)
        #expect(try await seen(fixture, maxAge) == Seen(description: "old", maxAge: 60))
        try await fixture.fixture.putAlice { $0.description = "new" }
        // Copies from the second of the change may be valid for 60 more; the one made now must not outlive them.
        #expect(try await seen(fixture, maxAge) == Seen(description: "old", maxAge: 60))
        fixture.fixture.advance(seconds: 31)
        #expect(try await seen(fixture, maxAge) == Seen(description: "old", maxAge: 30))
        fixture.fixture.advance(seconds: 29)
        #expect(try await seen(fixture, maxAge) == Seen(description: "old", maxAge: 1))
        fixture.fixture.advance(seconds: 1)
        #expect(try await seen(fixture, maxAge) == Seen(description: "new", maxAge: 60))
    }

    @Test("that changes again before it takes effect goes through each version in turn")
    func twice() async throws {
        let fixture = try await Notified { $0.description = "one" }
        let maxAge: UInt64 = 60
        fixture.fixture.advance(seconds: 1000)
        try await fixture.fixture.putAlice { $0.description = "two" }
        fixture.fixture.advance(seconds: 20)
        try await fixture.fixture.putAlice { $0.description = "three" }
        #expect(try await seen(fixture, maxAge) == Seen(description: "one", maxAge: 41))
        fixture.fixture.advance(seconds: 41)
        #expect(try await seen(fixture, maxAge) == Seen(description: "two", maxAge: 20))
        fixture.fixture.advance(seconds: 20)
        #expect(try await seen(fixture, maxAge) == Seen(description: "three", maxAge: 60))
    }

    @Test("takes effect a second later when nothing may be cached")
    func uncached() async throws {
        let fixture = try await Notified { $0.description = "old" }
        let maxAge: UInt64 = 0
        fixture.fixture.advance(seconds: 1000)
        try await fixture.fixture.putAlice { $0.description = "new" }
        #expect(try await seen(fixture, maxAge) == Seen(description: "old", maxAge: nil))
        fixture.fixture.advance(seconds: 1)
        #expect(try await seen(fixture, maxAge) == Seen(description: "new", maxAge: nil))
    }

    @Test("of a new account takes effect at once")
    func first() async throws {
        let fixture = try await Notified { $0.description = "first" }
        #expect(try await seen(fixture, 60).description == "For alice")
    }
}
