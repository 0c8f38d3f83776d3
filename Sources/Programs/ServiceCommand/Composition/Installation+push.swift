import CoreMetrics
import Devices
import HTTPService
import ServiceSetup
import LNURL
import LightningCoding
import LightningCrypto
import Logging
import OutboundHTTP
import Platform
import Registrations
import ResponderModel

extension Installation {
    /// Pushes notifications to devices, and messages to those that are registered; nil when no provider is configured.
    func pushes(
        replies: AwaitedReplies, slots: SharedSlots, metrics: any MetricsFactory, logger: Logger
    ) throws(CommandFailure) -> (pushes: PushDelivery?, devices: DeviceSender?) {
        let observer = PushObserver(metrics: metrics, logger: logger)
        guard
            let sender = try configuration.pushSender(
                tokensIn: ledger, clock: now, report: { observer.note($0) })
        else { return (nil, nil) }
        let secret = HMACSHA256.deriveSecret(from: Array("push collapse id".utf8), key: try folder.webhookKey())
        var settings = PushDelivery.Settings(
            replyBase: configuration.publicURL.appendingPath(PushDelivery.replyPath),
            collapseSecret: secret)
        // Whoever asks must be answered before the listener closes the connection.
        settings.replyTime = .seconds(max(1, min(60, Int64(clamping: configuration.limits.requestTime)) - 2))
        settings.pushTime = min(settings.pushTime, settings.replyTime)
        let devices = DeviceSender(
            sender, center: try messageCenter(), ledger: ledger, secret: secret,
            clock: now, metrics: metrics)
        let delivery = PushDelivery(
            settings, sender: sender, replies: replies, slots: slots, devices: devices, ledger: ledger,
            wallClock: now, report: { observer.note($0) })
        return (delivery, devices)
    }

    /// What registered devices ask. Wallets sign registrations for the host of the public URL.
    func messageCenter() throws(CommandFailure) -> MessageCenter {
        MessageCenter(
            ledger, audience: DomainName(of: configuration.publicURL).text,
            handles: DeviceHandles(secret: try folder.webhookKey()), clock: now)
    }

    /// The notification center in browsers; nil without devices.
    func notificationPages(
        of devices: DeviceSender?, slots: SharedSlots
    ) throws(CommandFailure) -> NotificationPages? {
        guard let devices else { return nil }
        let key = HMACSHA256.deriveSecret(from: Array("notification pages".utf8), key: try folder.webhookKey())
        return NotificationPages(
            devices.center, at: configuration.publicURL, key: key, slots: slots, sharedRates: ledger.sharedRates)
    }
}

extension ServiceConfiguration {
    /// The configured providers of push messages; nil when there are none.
    ///
    /// - Parameter server: tests have one in place of Apple's and Google's, which speaks HTTP/2 without TLS.
    func pushSender(
        at server: HTTPURL? = nil, tokensIn ledger: any ProviderTokenLedger, clock: @escaping WallClock,
        report: @escaping @Sendable (PushReport) -> Void
    ) throws(CommandFailure) -> PushSender? {
        do {
            guard hasPush else { return nil }
            let (apns, fcm) = (try apns(server, ledger, clock, report), try fcm(server, clock, report))
            let web = try webPush(clock, report)
            return PushSender(apns: apns, fcm: fcm, webPush: web)
        } catch let fault as CredentialFault {
            throw CommandFailure(.configuration, "push: \(fault.reason)")
        } catch {
            throw CommandFailure(.unavailable, "push messages cannot be sent: \(error.readableReason)")
        }
    }

    private func apns(
        _ server: HTTPURL?, _ ledger: any ProviderTokenLedger, _ clock: @escaping WallClock,
        _ report: @escaping @Sendable (PushReport) -> Void
    ) throws -> APNsProvider? {
        guard let file = self.push.apnsKeyFile, let id = self.push.apnsKeyID, let team = self.push.apnsTeamID,
            let topic = self.push.apnsTopic
        else { return nil }
        var servers: [PushEnvironment: HTTPURL] = [:]
        for environment in self.push.apnsEnvironment.environments {
            servers[environment] = try server ?? HTTPURL(environment.serverText)
        }
        return APNsProvider(
            key: try APNsKey(id: id, team: team, file: file), topic: topic, servers: servers,
            client: Self.client(of: server), tokensIn: ledger, wallClock: clock, report: report)
    }

    private func fcm(
        _ server: HTTPURL?, _ clock: @escaping WallClock, _ report: @escaping @Sendable (PushReport) -> Void
    ) throws -> FCMProvider? {
        guard let file = self.push.fcmAccountFile else { return nil }
        return try FCMProvider(
            account: try ServiceAccount(file: file), server: try server ?? HTTPURL(FCMPush.serverText),
            client: Self.client(of: server), wallClock: clock, report: report)
    }

    private func webPush(
        _ clock: @escaping WallClock, _ report: @escaping @Sendable (PushReport) -> Void
    ) throws -> WebPushProvider? {
        guard let file = self.push.vapidKeyFile, let contact = self.push.vapidContact else { return nil }
        var client = HTTPClient.Configuration()
        client.addressPolicy = AddressPolicy(scope: self.push.allowLoopback ? .publicAndLoopback : .publicOnly)
        client.maximumConcurrencyPerHost = 16
        client.maximumConcurrencyPerNetwork = 16
        client.maximumConcurrencyUnresolved = 32
        client.resolveTimeout = .seconds(2)
        client.maximumBodyBytes = 64 << 10
        return try WebPushProvider(
            try VAPIDKey(file: file, contact: contact), client: client, wallClock: clock, report: report)
    }

    private static func client(of server: HTTPURL?) -> HTTPClient.Configuration {
        var client = HTTPClient.Configuration()
        client.http2 = server == nil ? .overTLS : .priorKnowledge
        client.maximumBodyBytes = 64 << 10
        return client
    }
}
