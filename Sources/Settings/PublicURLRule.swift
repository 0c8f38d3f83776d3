package import LightningCoding

/// Rules for the base of every URL that we give to payers.
package enum PublicURLRule {
    /// LUD-01: https, or http on an onion address or on loopback.
    package static func problem(_ url: HTTPURL) -> String? {
        if url.query != nil || (url.path != "/" && url.path != "") { return "must end after the host, or the port" }
        if url.scheme == .http, !url.isOnion, !url.isLoopback {
            return "must begin with https (http is for .onion and loopback only)"
        }
        return nil
    }
}
