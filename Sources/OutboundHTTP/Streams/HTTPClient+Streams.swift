extension HTTPClient {
    /// Sends one request and reads the response as it arrives, whatever its status.
    ///
    /// The request's timeout applies until the connection is established; after that the stream lasts until either side
    /// ends it, so a server may be silent for days. A dead peer is detected by TCP keep-alive within a minute
    /// (``KeepAlive``). The body limit does not apply: the reader must bound what it keeps. A stream counts against the
    /// client's concurrency while it lasts, and is not traced.
    public func stream(_ request: HTTPRequest) -> HTTPStream {
        HTTPStream(request, over: self)
    }

    func open(_ request: HTTPRequest) -> StreamPipe {
        let id = mailbox.makeID()
        let mailbox = mailbox
        let pipe = StreamPipe(resume: { mailbox.resume(id) }, cancel: { mailbox.cancel(id) })
        if let fault = fault(before: request) {
            pipe.finish(.failure(fault))
        } else {
            mailbox.submit(Submission(id: id, request: request, receiver: .stream(pipe)))
        }
        return pipe
    }
}
