package import LightningCoding

extension HTTPURL {
    /// Scheme, host and port, the form of a public URL.
    package var origin: String { "\(scheme.rawValue)://\(authority)" }
}
