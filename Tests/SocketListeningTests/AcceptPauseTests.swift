import Glibc
import NIOCore
import NIOEmbedded
import SocketListening
import Testing

@Suite("Accepting when there is nothing left to accept with")
struct AcceptPauseTests {
    private let channel = EmbeddedChannel()

    init() throws {
        try channel.pipeline.syncOperations.addHandler(AcceptPause())
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func fail(_ code: CInt) { channel.pipeline.fireErrorCaught(IOError(errnoCode: code, reason: "accept")) }

    /// What reading was set to, in order.
    private var reading: [Bool] { channel.options.compactMap { $0.value as? Bool } }

    @Test(
        "Out of descriptors or memory, nothing is accepted for a tenth of a second",
        arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM])
    func shortage(code: CInt) throws {
        fail(code)
        fail(code)
        #expect(reading == [false])
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(99))
        #expect(reading == [false])
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(reading == [false, true])
        fail(code)
        #expect(reading == [false, true, false])
        try channel.throwIfErrorCaught()
    }

    @Test("Every other error goes on, and nothing pauses", arguments: [ECONNABORTED, EBADF, EINVAL])
    func otherErrors(code: CInt) {
        fail(code)
        #expect(reading.isEmpty)
        #expect(throws: IOError.self) { try channel.throwIfErrorCaught() }
    }
}
