import LightningCoding
import Platform
import Testing
@testable import OnionPeer

@Suite("Admission of onion messages", .timeLimit(.minutes(5)))
struct MessageAdmissionTests {
    private let now = MonotonicTime.now

    private func admitted(
        _ count: Int, by admission: MessageAdmission, from network: (Int) -> ClientNetwork?
    ) -> [SharedSlots.Slot] {
        (0..<count).compactMap { admission.admit(network($0), at: now) }
    }

    @Test("One network has an eighth of the places until they are answered; others have the rest")
    func places() {
        let admission = MessageAdmission(nil)
        func places(of network: UInt32?) -> [SharedSlots.Slot] {
            admitted(300, by: admission) { _ in network.map { ClientNetwork(.v4($0)) } }
        }
        let first = places(of: 1)
        #expect(first.count == 32)
        let second = places(of: 2)
        #expect(second.count == 32)
        first.first?.free()
        #expect(places(of: 1).count == 1)
        #expect(places(of: nil).count == 193)
        withExtendedLifetime((first, second)) {}
    }

    @Test("A network that has connected sends no more than its rate, and keeps no place beyond it")
    func rates() throws {
        let limit = try #require(RateLimit(perMinute: 3))
        let admission = MessageAdmission(limit)
        #expect(admitted(300, by: admission) { _ in ClientNetwork(.v4(1)) }.count == limit.burst)
        #expect(admitted(300, by: admission) { _ in nil }.count == 256)
        #expect(admission.admit(ClientNetwork(.v4(1)), at: now) == nil)
        #expect(admission.admit(ClientNetwork(.v4(1)), at: now + .seconds(20)) != nil)
        #expect(admission.admit(ClientNetwork(.v4(2)), at: now) != nil)
    }
}
