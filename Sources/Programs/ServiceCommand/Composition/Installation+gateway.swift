import CoreMetrics
import Devices
import HTTPService
import LightningCoding
import Logging
import OutboundHTTP
import Platform
import Registrations
import ResponderCore
import ResponderModel
import ServiceSetup

extension Installation {
    /// Registrations of app users; nil when they are not wanted.
    ///
    /// - Parameters:
    ///   - replies: those that are awaited at this instance.
    ///   - slots: those of all who wait.
    ///   - pushes: takes questions whose webhook is our own endpoint.
    ///   - devices: are told of the payments that other devices prove.
    func gateway(
        _ responder: Responder, secrets: WebhookSecrets, replies: AwaitedReplies, slots: SharedSlots,
        pushes: PushDelivery?, devices: DeviceSender?, metrics: any MetricsFactory, logger: Logger
    ) throws(CommandFailure) -> Gateway? {
        let settings = configuration.gateway
        guard settings.enabled else { return nil }
        let policy = ReplyPolicy(
            allowedHosts: settings.hosts, allowedPorts: Set(settings.ports), proxy: settings.proxy,
            allowsLoopback: settings.allowLoopback)
        var asking = ReplyChannel.Settings(network: settings.network)
        // A payer must be answered before the listener closes the connection.
        asking.time = .seconds(max(1, min(30, Int64(clamping: configuration.limits.requestTime)) - 2))
        asking.postTime = min(asking.postTime, asking.time)
        asking.trustsHosts = settings.hosts != nil
        let poster: WebhookPoster
        do {
            poster = try WebhookPoster(policy)
        } catch {
            throw CommandFailure(.unavailable, "webhooks cannot be called: \(error.reason)")
        }
        let onPaid: DevicePaymentReport = { await devices?.noteReceived($2, of: $1, by: $0.key) }
        let channel = ReplyChannel(
            asking, replies: replies, slots: slots,
            post: pushes?.posting(for: responder.accounts, otherwise: poster.post) ?? poster.post,
            notePaid: { [ledger, now] in await ledger.keep($0, of: $1, at: now(), reporting: onPaid) }, now: now,
            report: DeviceObserver(metrics: metrics, logger: logger).note)
        func seconds(_ days: UInt64) -> UInt64? { days == 0 ? nil : days * 86_400 }
        let retention = RegistrationRetention(lifetime: seconds(settings.lifetime), hold: seconds(settings.hold))
        return Gateway(
            channel: channel, ledger: ledger, accounts: responder.accounts,
            rules: RegistrationRules(reserved: Set(settings.reserved), hold: retention.hold), retention: retention,
            policy: policy, secrets: secrets)
    }

    /// What nodes tell of their peers; nil when nobody may ask.
    func forwardingHints() throws(CommandFailure) -> ForwardingHints? {
        guard let path = configuration.forwardingHint.tokenFile else { return nil }
        let nodes = backends.values.compactMap(\.forwarding)
        guard !nodes.isEmpty else {
            throw CommandFailure(
                .configuration, "forwarding-hint.token-file: no node tells of its peers; Core Lightning and LND do")
        }
        let contents = try rethrowing(PrivateFile(path: path).contents(limit: 1024)) { CommandFailure($0, at: path) }
        return ForwardingHints(of: nodes, for: BearerToken(try DataFolder.token(contents, from: path)))
    }
}
