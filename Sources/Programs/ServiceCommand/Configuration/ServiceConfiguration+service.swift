import HTTPService
import ServiceSetup
import Platform

extension ServiceConfiguration {
    var service: ServiceSettings {
        ServiceSettings(
            listen: self.listen, adminListen: self.adminListen, infoMaxAge: self.infoMaxAge, limits: serviceLimits,
            rates: ServiceRates(
                [
                    .invoice: Self.limit(self.rates.network), .info: Self.limit(self.rates.info),
                    .verify: Self.limit(self.rates.verify), .notification: Self.limit(self.rates.notifier),
                    .device: self.gateway.enabled ? Self.limit(self.gateway.payers) : nil,
                    .registration: registrationRate, .registrationRead: RateLimit(perMinute: 600),
                    .unknownReply: RateLimit(perMinute: 600),
                    .forwardingHint: Self.limit(self.forwardingHint.requests),
                ], account: Self.limit(self.rates.account), trustedProxies: self.trustedProxies),
            trustsForwardedHost: self.trustForwardedHost,
            keepExpired: self.ledger.keepExpired * 86_400,
            ledgerTime: .seconds(Int64(clamping: self.ledger.timeout)), drainTime: drainTime)
    }

    /// Where no other instance can take over, waiting for a load balancer would help nobody.
    var drainTime: UInt64 { self.drain ?? (ledgerKind.isForOneService ? 0 : 5) }

    private var serviceLimits: ServiceLimits {
        ServiceLimits(
            body: Int(clamping: self.limits.body), headerField: Int(clamping: self.limits.headerField),
            header: Int(clamping: self.limits.header), headerTime: self.limits.headerTime,
            requestTime: self.limits.requestTime, connections: Int(clamping: self.limits.connections))
    }

    private var registrationRate: RateLimit? {
        let perHour = Int(clamping: self.gateway.registrations)
        return perHour == 0 ? nil : RateLimit(burst: perHour, interval: .seconds(3600) / perHour)
    }

    static func limit(_ perMinute: UInt64) -> RateLimit? { RateLimit(perMinute: Int(clamping: perMinute)) }
}
