import HTTPTypes
import Hummingbird
import HummingbirdCore
import LightningCoding
import NIOCore
import Platform
import Testing
import Waiting

@testable import HTTPService

@Suite("Bodies that are received", .timeLimit(.minutes(5)))
struct RequestBodyTests {
    /// A body that is sent by hand.
    private struct Sent {
        let parts: AsyncStream<ByteBuffer>.Continuation
        let request: Request

        init() {
            let (stream, parts) = AsyncStream<ByteBuffer>.makeStream()
            self.parts = parts
            request = Request(
                head: HTTPRequest(method: .post, scheme: nil, authority: "x", path: "/"),
                body: RequestBody(asyncSequence: stream))
        }

        func send(_ count: Int) { parts.yield(ByteBuffer(repeating: 7, count: count)) }
    }

    private let limit = 1 << 20

    /// How the reading of a body ends whose parts have so many bytes.
    private func fault(
        of counts: [Int], in blocks: SharedSlots, from network: ClientNetwork? = nil
    ) async -> BodyFault? {
        let sent = Sent()
        for count in counts { sent.send(count) }
        sent.parts.finish()
        do throws(BodyFault) {
            let bytes = try await sent.request.bytes(limit: limit, from: network, in: blocks)
            #expect(bytes.count == counts.reduce(0, +))
            return nil
        } catch {
            return error
        }
    }

    @Test("All bodies together take so many blocks besides the first of each, which is always there")
    func bounded() async throws {
        let (blocks, size) = (SharedSlots(3), BodyBlocks.size)
        #expect(await fault(of: [4 * size], in: blocks) == nil)
        #expect(await fault(of: [4 * size, 1], in: blocks) == .crowded)
        // What is received is given back.
        #expect(blocks.count == 0)
        var held = try (0..<3).map { _ in try blocks.take(for: nil) }
        for (counts, expected) in [
            ([], nil), ([size], nil), ([size, 1], .crowded), ([1, size], .crowded), ([size - 1, 1], nil),
        ] as [([Int], BodyFault?)] {
            #expect(await fault(of: counts, in: blocks) == expected)
        }
        held.removeLast()
        #expect(await fault(of: [2 * size], in: blocks) == nil)
        #expect(await fault(of: [2 * size, 1], in: blocks) == .crowded)
    }

    @Test("One network has its share of the memory for bodies, and leaves the others theirs")
    func networks() async throws {
        let (blocks, size) = (SharedSlots(16), BodyBlocks.size)
        let (one, other) = (ClientNetwork(.v4(1)), ClientNetwork(.v4(2)))
        let slow = Sent()
        slow.send(3 * size)
        async let bytes = slow.request.bytes(limit: limit, from: one, in: blocks)
        try await eventually { blocks.count == 2 }
        #expect(await fault(of: [size + 1], in: blocks, from: one) == .crowded)
        #expect(await fault(of: [size], in: blocks, from: one) == nil)
        #expect(await fault(of: [3 * size], in: blocks, from: other) == nil)
        slow.parts.finish()
        #expect(try await bytes.count == 3 * size)
        #expect(await fault(of: [3 * size], in: blocks, from: one) == nil)
    }

    @Test("A body is not longer than its own limit")
    func tooLong() async throws {
        for (limit, isTooLong) in [(10, false), (9, true)] {
            let sent = Sent()
            for _ in 1...2 { sent.send(5) }
            sent.parts.finish()
            let blocks = SharedSlots(0)
            if isTooLong {
                await #expect(throws: BodyFault.tooLarge) { try await sent.request.bytes(limit: limit, in: blocks) }
            } else {
                #expect(try await sent.request.bytes(limit: limit, in: blocks).count == 10)
            }
        }
    }
}
