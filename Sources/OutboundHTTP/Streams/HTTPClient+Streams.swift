extension HTTPClient {
    /// Sends one request and reads the answer while it comes, whatever its status.
    ///
    /// The request's time is that until a connection stands; after that the stream lasts until either side ends it, so
    /// that a server may be silent for days. A peer that is gone without a word is found by TCP's own probes within
    /// a minute (``KeepAlive``). The limit on a body's length does not hold: what is read is for the reader to bound. A stream takes one
    /// of the client's places as long as it lasts, and is not traced.
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
