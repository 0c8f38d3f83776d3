public import OutboundHTTP

extension HTTPClient.Configuration {
    /// Creates a client with these limits.
    public init(_ limits: CallLimits) {
        self.init()
        connectTimeout = limits.connectTimeout
        maximumBodyBytes = limits.maximumAnswerBytes
        maximumConcurrency = limits.maximumConcurrency
        maximumWaiting = limits.maximumWaiting
    }
}
