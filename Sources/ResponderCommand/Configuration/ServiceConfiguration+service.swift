import AddressService
import Installing
import Logging
import RateLimiting

extension ServiceConfiguration {
    /// How the service meets the network.
    var service: ServiceSettings {
        ServiceSettings(
            listen: self.listen, adminListen: self.adminListen, infoMaxAge: self.infoMaxAge, limits: serviceLimits,
            rates: ServiceRates(
                network: Self.limit(self.rates.network), notifier: Self.limit(self.rates.notifier),
                account: Self.limit(self.rates.account), trustedProxies: self.trustedProxies),
            keepExpired: self.ledger.keepExpired * 86_400)
    }

    private var serviceLimits: ServiceLimits {
        ServiceLimits(
            body: Int(clamping: self.limits.body), headerField: Int(clamping: self.limits.headerField),
            header: Int(clamping: self.limits.header), headerTime: self.limits.headerTime,
            requestTime: self.limits.requestTime, connections: Int(clamping: self.limits.connections))
    }

    private static func limit(_ perMinute: UInt64) -> RateLimit? { RateLimit(perMinute: Int(clamping: perMinute)) }
}

extension LogLevel {
    /// The same level, as the logger knows it.
    var level: Logger.Level {
        switch self {
        case .trace: .trace
        case .debug: .debug
        case .info: .info
        case .notice: .notice
        case .warning: .warning
        case .error: .error
        case .critical: .critical
        }
    }
}
