public import LightningCoding

/// Which URLs may be requested: `https`, or `http` for onion services (LUD-01) and, for testing, the local machine.
public enum URLPolicy {
    /// Whether a URL may be fetched. https to an onion service is unusual, but allowed.
    public static func allows(_ url: HTTPURL) -> Bool {
        url.scheme == .https || url.isOnion || url.isLoopback
    }

    /// The scheme when none is written (LUD-16 addresses, LUD-17 schemes).
    public static func implicitScheme(forHostOf url: HTTPURL) -> HTTPURL.Scheme {
        url.isOnion || url.isLoopback ? .http : .https
    }
}
