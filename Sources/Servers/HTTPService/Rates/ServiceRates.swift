package import Platform

/// Rate limits for costly requests; what has none is not limited.
package struct ServiceRates: Hashable, Sendable {
    /// What is counted for each client network.
    package enum Purpose: String, Sendable {
        case invoice, info, verify, notification
        /// Whatever a payer asks that only a device could answer.
        case device
        /// A wallet changes its registration; asks anything; a device replies to nobody.
        case registration, registrationRead, unknownReply
        /// A device asks that is known, of all owners together: keys are free. It follows from `registrationRead`.
        case knownDevice
        /// An owner who has devices changes them, of all owners together. It follows from `registration`.
        case deviceChange
        /// A wallet asks why a payment was not forwarded.
        case forwardingHint
    }

    let networks: [Purpose: RateLimit]
    /// Per account: anonymous invoice requests and, counted separately, authenticated notifications.
    let account: RateLimit?
    /// The proxies whose `X-Forwarded-For` is trusted.
    let trustedProxies: [NetworkPrefix]

    package init(
        _ networks: [Purpose: RateLimit?] = [:], account: RateLimit? = nil, trustedProxies: [NetworkPrefix] = []
    ) {
        var networks = networks.compactMapValues { $0 }
        networks[.deviceChange] = networks[.registration]?.multiplied(by: 16)
        networks[.knownDevice] = networks[.registrationRead]?.multiplied(by: 16)
        self.networks = networks
        self.account = account
        self.trustedProxies = trustedProxies
    }
}
