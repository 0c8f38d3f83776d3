import LightningCoding
import OutboundHTTP
import Platform
import Registrations
import ResponderCore
import ResponderModel
import ServiceSetup

extension Installation {
    /// What asks the devices of app users; nil when there are none.
    ///
    /// - Parameters:
    ///   - replies: those that are awaited at this instance.
    ///   - places: those of all who wait.
    ///   - report: called with what happens to questions.
    ///   - onPaid: is told of the payments that devices prove.
    func replyChannel(
        replies: AwaitedReplies, places: SharedPlaces,
        report: @escaping @Sendable (DeviceEvent, RegistrationID?) -> Void, onPaid: @escaping DevicePaymentReport
    ) throws(CommandFailure) -> ReplyChannel? {
        guard configuration.gateway.enabled else { return nil }
        var settings = ReplyChannel.Settings(network: configuration.gateway.network)
        // A payer must be answered before the listener closes the connection.
        settings.time = .seconds(max(1, min(30, Int64(clamping: configuration.limits.requestTime)) - 2))
        settings.postTime = min(settings.postTime, settings.time)
        settings.trustsHosts = configuration.gateway.hosts != nil
        do {
            let poster = try WebhookPoster(webhookPolicy)
            return ReplyChannel(
                settings, replies: replies, places: places, post: poster.post,
                notePaid: { [ledger, now] in await ledger.keep($0, of: $1, at: now(), reporting: onPaid) }, now: now,
                report: report)
        } catch {
            throw CommandFailure(.unavailable, "webhooks cannot be called: \(error.reason)")
        }
    }

    var webhookPolicy: ReplyPolicy {
        ReplyPolicy(
            allowedHosts: configuration.gateway.hosts, allowedPorts: Set(configuration.gateway.ports),
            proxy: configuration.gateway.proxy, allowsLoopback: configuration.gateway.allowLoopback)
    }

    var registrationRules: RegistrationRules {
        RegistrationRules(reserved: Set(configuration.gateway.reserved), hold: registrationRetention.hold)
    }

    var registrationRetention: RegistrationRetention {
        func seconds(_ days: UInt64) -> UInt64? { days == 0 ? nil : days * 86_400 }
        return RegistrationRetention(
            lifetime: seconds(configuration.gateway.lifetime), hold: seconds(configuration.gateway.hold))
    }
}
