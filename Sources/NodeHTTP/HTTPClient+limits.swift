public import OutboundHTTP

extension HTTPClient.Configuration {
    /// A client that keeps to what a node may cost.
    public init(_ limits: CallLimits) {
        self.init()
        connectTimeout = limits.connectTimeout
        maximumBodyBytes = limits.maximumAnswerBytes
        maximumConcurrency = limits.maximumConcurrency
        maximumWaiting = limits.maximumWaiting
    }
}
