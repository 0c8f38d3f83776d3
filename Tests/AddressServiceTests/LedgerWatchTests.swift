import LightningCoding
import Logging
import Testing

@testable import AddressService

@Suite("The watch over what other processes do", .timeLimit(.minutes(1)))
struct LedgerWatchTests {
    private struct Unreadable: Error {}

    @Test("Imported keys are looked for again and again, also after they could not be read")
    func imports() async throws {
        let service = try await TestService()
        let (looks, looked) = AsyncStream.makeStream(of: Void.self)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let watch = LedgerWatch(
            responder: service.responder,
            noticeImports: {
                looked.yield()
                throw Unreadable()
            },
            clock: { [clock = service.clock] in clock.now }, logger: logger
        )
        let running = Task { try await watch.run() }
        var iterator = looks.makeAsyncIterator()
        #expect(await iterator.next() != nil)
        #expect(await iterator.next() != nil)
        running.cancel()
        try await running.value
    }
}
