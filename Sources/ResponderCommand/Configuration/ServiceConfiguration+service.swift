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
            peerDescriptors: onionPeer.descriptors, keepExpired: keepExpired * 86_400)
    }
}

extension OnionPeerConfiguration {
    /// The file descriptors that our own Lightning peer needs: one for each connection, and some for those of a moment.
    fileprivate var descriptors: Int {
        guard isOn else { return 0 }
        let (called, overflow) = connect.count.multipliedReportingOverflow(by: connections)
        let incoming = listen == nil ? 0 : min(maximumIncoming, 1 << 20)
        return min(overflow ? .max : called, 1 << 20) + incoming + addresses.count + 1
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
