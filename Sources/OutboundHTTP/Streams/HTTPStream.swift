/// What arrives of an answer that is read while it comes.
public enum HTTPStreamEvent: Hashable, Sendable {
    /// The status and header fields; always first.
    case head(status: Int, headers: [HTTPField])
    /// The next bytes of the body, as they came: never cut at any border that means something.
    case bytes([UInt8])
}

/// An answer without a foreseeable end, read piece by piece: for servers that send a line whenever something happens.
///
/// The server is held back while nobody reads. Reading throws ``OutboundFault``; the end of the body ends the sequence.
/// The exchange is over when the sequence ends, when the reading task is cancelled, or when the iterator is let go. Every
/// iterator sends the request anew.
public struct HTTPStream: AsyncSequence, Sendable {
    /// A piece.
    public typealias Element = HTTPStreamEvent
    /// What reading throws.
    public typealias Failure = OutboundFault

    private let client: HTTPClient
    private let request: HTTPRequest

    init(_ request: HTTPRequest, over client: HTTPClient) {
        self.request = request
        self.client = client
    }

    /// Sends the request.
    public func makeAsyncIterator() -> Iterator {
        Iterator(pipe: client.open(request), client: client)
    }

    /// Reads a stream.
    public final class Iterator: AsyncIteratorProtocol, Sendable {
        /// A piece.
        public typealias Element = HTTPStreamEvent
        /// What reading throws.
        public typealias Failure = OutboundFault

        private let pipe: StreamPipe
        /// Ends everything in flight when nobody holds it.
        private let client: HTTPClient

        init(pipe: StreamPipe, client: HTTPClient) {
            self.pipe = pipe
            self.client = client
        }

        deinit {
            pipe.abandon()
        }

        /// The next piece, for which it waits; nil at the end.
        public func next() async throws(OutboundFault) -> HTTPStreamEvent? {
            try await pipe.next().get()
        }

        /// The next piece, for which it waits; nil at the end.
        public func next(isolation actor: isolated (any Actor)?) async throws(OutboundFault) -> HTTPStreamEvent? {
            try await pipe.next().get()
        }
    }
}
