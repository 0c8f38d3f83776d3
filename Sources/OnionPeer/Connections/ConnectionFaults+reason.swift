public import LightningCoding

extension ConnectionEnd: ReadableFault {
    /// The same as `description`.
    public var reason: String { description }
}

extension NetworkFault: ReadableFault {
    /// The same as `description`.
    public var reason: String { description }
}

extension ProxyFault {
    /// The same as `description`.
    var reason: String { description }
}

extension ProxyFault.Reason {
    /// The same as `description`.
    var reason: String { description }
}
