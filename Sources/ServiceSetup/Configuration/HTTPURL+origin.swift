package import LightningCoding

extension HTTPURL {
    /// Scheme, host and port, as a public URL is written.
    package var origin: String { "\(scheme.rawValue)://\(authority)" }
}
