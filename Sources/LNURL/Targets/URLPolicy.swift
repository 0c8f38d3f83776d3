public import LightningCoding

/// Which URLs may be asked: `https`, or `http` for onion services (LUD-01) and for this machine, where services are tried
/// out.
public enum URLPolicy {
    /// Whether a URL may be fetched. An onion service over https is unusual, not forbidden.
    public static func allows(_ url: HTTPURL) -> Bool {
        url.scheme == .https || url.isOnion || url.isLoopback
    }

    /// The scheme that goes without saying where none is written (LUD-16 addresses, LUD-17 schemes).
    public static func implicitScheme(forHostOf url: HTTPURL) -> HTTPURL.Scheme {
        url.isOnion || url.isLoopback ? .http : .https
    }
}
