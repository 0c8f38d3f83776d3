import LightningCoding

extension HTTPURL {
    /// Scheme, host and port, as a public URL is written.
    var origin: String { "\(scheme.rawValue)://\(authority)" }
}
