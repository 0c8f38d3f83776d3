import Glibc
import NIOCore
import NIOEmbedded
import OnionPeer
import Testing

@Suite("Accepting when there is nothing left to accept with", .timeLimit(.minutes(5)))
struct AcceptPauseTests {
    private let channel = EmbeddedChannel()

    init() throws {
        try channel.pipeline.syncOperations.addHandler(AcceptPause())
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func fail(_ code: CInt) { channel.pipeline.fireErrorCaught(IOError(errnoCode: code, reason: "accept")) }

    /// What reading was last set to; nil when it was never.
    private var reads: Bool? { channel.options.lazy.compactMap { $0.value as? Bool }.last }

    @Test(
        "Out of descriptors or memory, nothing is accepted for a tenth of a second",
        arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM])
    func shortage(code: CInt) throws {
        fail(code)
        fail(code)
        #expect(reads == false)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(99))
        #expect(reads == false)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(reads == true)
        fail(code)
        #expect(reads == false)
        try channel.throwIfErrorCaught()
    }

    @Test("Every other error goes on, and nothing pauses", arguments: [ECONNABORTED, EBADF, EINVAL])
    func otherErrors(code: CInt) {
        fail(code)
        #expect(reads == nil)
        #expect(throws: IOError.self) { try channel.throwIfErrorCaught() }
    }
}
