import AddressService
import Installing
import Logging

extension ServiceConfiguration {
    /// How the service meets the network.
    var service: ServiceSettings {
        ServiceSettings(
            listen: listen, adminListen: adminListen, infoMaxAge: infoMaxAge, limits: ServiceLimits(limits),
            rates: ServiceRates(
                network: rates.network, info: rates.info, verify: rates.verify, notifier: rates.notifier,
                account: rates.account, trustedProxies: rates.trustedProxies),
            keepExpired: keepExpired * 86_400)
    }
}

extension ServiceLimits {
    fileprivate init(_ limits: ServiceConfiguration.Limits) {
        self.init(
            body: limits.body,
            headerField: limits.headerField,
            header: limits.header,
            headerTime: limits.headerTime,
            requestTime: limits.requestTime,
            connections: limits.connections
        )
    }
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
