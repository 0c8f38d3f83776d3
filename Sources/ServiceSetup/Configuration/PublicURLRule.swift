package import LightningCoding

/// What payers must be able to rely on in the base of every URL that we give out.
package enum PublicURLRule {
    /// LUD-01: https, or http on an onion or on this very machine.
    package static func problem(_ url: HTTPURL) -> String? {
        if url.query != nil || (url.path != "/" && url.path != "") { return "must end after the host, or the port" }
        if url.scheme == .http, !url.isOnion, !url.isLoopback {
            return "must begin with https (http is for .onion and loopback only)"
        }
        return nil
    }
}
