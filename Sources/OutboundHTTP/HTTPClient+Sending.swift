extension HTTPClient {
    /// A request that was started. It keeps its client open.
    public struct Sending: Sendable {
        private let client: HTTPClient
        private let id: TransferID

        fileprivate init(_ id: TransferID, over client: HTTPClient) {
            self.id = id
            self.client = client
        }

        /// Ends the request with ``OutboundFault/cancelled``, unless it has ended.
        public func cancel() {
            client.mailbox.cancel(id)
        }
    }

    /// Starts one request for a task that waits. It is not traced.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - continuation: resumed with the outcome, unless this throws.
    ///   - end: takes the outcome before, on the client's thread, and so must not block. The requests that it starts leave
    ///     together with those that other ends have started.
    /// - Throws: why the request is not sent; then its end is not called.
    public func start(
        _ request: HTTPRequest, resuming continuation: CheckedContinuation<Result<HTTPResponse, OutboundFault>, Never>,
        end: @escaping @Sendable (Result<HTTPResponse, OutboundFault>) -> Void
    ) throws(OutboundFault) -> Sending {
        if let fault = fault(before: request) { throw fault }
        let id = mailbox.makeID()
        guard mailbox.post(Submission(id: id, request: request, receiver: .task(continuation, end: end))) else {
            throw .closed
        }
        return Sending(id, over: self)
    }
}
