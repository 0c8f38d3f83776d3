import Glibc
import LightningCoding
import Platform
import Logging
import LoopbackServer
import Testing

@testable import HTTPService

@Suite("A port in use", .timeLimit(.minutes(5)))
struct ListenTests {
    /// Records log entries from level warning.
    private struct Recorder: LogHandler {
        let lines: Guarded<[String]>
        var logLevel = Logger.Level.warning
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.withLock { $0.append("\(event.message)") }
        }
    }

    @Test("is the only error logged, at either listener", arguments: [true, false])
    func taken(isPayers: Bool) async throws {
        let service = try await TestService()
        let taken = try ClosedPort()
        let address = ListenAddress(host: "127.0.0.1", port: taken.port)
        var settings = service.settings
        if isPayers { settings.listen = address } else { settings.adminListen = address }
        let lines = Guarded<[String]>([])
        let clock = service.clock
        let server = AddressServer(
            service.parts, settings: settings, logger: Logger(label: "test") { _ in Recorder(lines: lines) },
            clock: { clock.now }
        ) { _ in }
        await #expect(throws: ListenFault(address: address, code: EADDRINUSE)) { try await server.run() }
        #expect(lines.withLock { $0 } == [])
    }
}
