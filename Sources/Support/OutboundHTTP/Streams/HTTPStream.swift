package enum HTTPStreamEvent: Hashable, Sendable {
    /// The status and header fields; always first.
    case head(status: Int, headers: [HTTPField])
    /// The next bytes of the body, split arbitrarily.
    case bytes([UInt8])
}

/// A response without a foreseeable end, read piece by piece: for servers that send a line per event.
///
/// While nobody reads, backpressure stops the server. Reading throws ``OutboundFault``; the end of the body ends the
/// sequence. The exchange is over when the sequence ends, the reading task is canceled, or the iterator is released.
/// Every iterator sends a new request.
package struct HTTPStream: AsyncSequence, Sendable {
    package typealias Element = HTTPStreamEvent
    package typealias Failure = OutboundFault

    private let client: HTTPClient
    private let request: HTTPRequest

    init(_ request: HTTPRequest, over client: HTTPClient) {
        self.request = request
        self.client = client
    }

    package func makeAsyncIterator() -> Iterator {
        Iterator(pipe: client.open(request), client: client)
    }

    package final class Iterator: AsyncIteratorProtocol, Sendable {
        package typealias Element = HTTPStreamEvent
        package typealias Failure = OutboundFault

        private let pipe: StreamPipe
        /// Kept alive, since a released client cancels its requests.
        private let client: HTTPClient

        init(pipe: StreamPipe, client: HTTPClient) {
            self.pipe = pipe
            self.client = client
        }

        deinit {
            pipe.abandon()
        }

        /// Waits for the next event; nil at the end.
        package func next() async throws(OutboundFault) -> HTTPStreamEvent? {
            try await pipe.next().get()
        }

        /// Waits for the next event; nil at the end.
        package func next(isolation actor: isolated (any Actor)?) async throws(OutboundFault) -> HTTPStreamEvent? {
            try await pipe.next().get()
        }
    }
}
