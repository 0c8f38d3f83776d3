import CoreMetrics
import Hummingbird
package import LightningCoding
package import Logging
package import Platform
package import Registrations
package import ResponderCore
package import ResponderModel
import ServiceLifecycle

/// The service: the listener for payers, the admin listener, and background tasks.
package struct AddressServer: Service {
    /// The components of the service.
    package struct Parts: Sendable {
        /// Creates offers; its ledger and accounts are those of the service.
        package var responder: Responder
        /// Who answers for each account.
        package var directory: ResponderDirectory
        /// The nodes that receive payments.
        package var backends: [BackendName: any ReceiveBackend]
        /// Simulates payments; nil when no backend can be settled by hand.
        package var settlement: SettlementOnCommand?
        /// Derives the accounts' webhook secrets.
        package var webhookSecrets: WebhookSecrets
        /// Accepts notifications; nil when they are disabled.
        package var notifications: NotificationIntake?
        /// This run among all on the ledger: it does what only one may do while it holds the lease of it.
        package var instance: ServiceInstance
        /// Where all is recorded.
        package var ledger: any Ledger
        /// Notifies operators of settled payments; nil when none are configured.
        package var settlementWebhooks: SettlementWebhookSender?
        /// Loads offer keys that another process has imported.
        package var noticeImports: @Sendable () throws -> Void
        /// Authenticates the operator.
        package var adminToken: BearerToken
        /// Our own Lightning peer; nil when there is none.
        package var peers: PeerReporter?
        /// The replies of devices that are awaited here.
        package var replies: AwaitedReplies
        /// The places of all who wait: for devices, for providers of push messages, for what comes over a stream. How many
        /// there are follows from the connections.
        package var places: SharedPlaces
        /// Registrations of app users; nil when there are none.
        package var gateway: Gateway?
        /// Pushes notifications to devices; nil when no provider is configured.
        package var pushes: PushDelivery?
        /// What registered devices ask and are sent; nil when no provider is configured.
        package var devices: DeviceSender?
        /// What they are told, in browsers; nil likewise.
        package var pages: NotificationPages?
        /// What nodes tell of their peers; nil when nobody may ask.
        package var forwardingHints: ForwardingHints?
        /// The ledger's time.
        package var ledgerClock: LedgerClock

        package init(
            responder: Responder,
            directory: ResponderDirectory,
            backends: [BackendName: any ReceiveBackend],
            settlement: SettlementOnCommand?,
            webhookSecrets: WebhookSecrets,
            notifications: NotificationIntake? = nil,
            instance: ServiceInstance,
            ledger: any Ledger,
            settlementWebhooks: SettlementWebhookSender? = nil,
            noticeImports: @escaping @Sendable () throws -> Void,
            adminToken: BearerToken,
            peers: PeerReporter? = nil,
            replies: AwaitedReplies = AwaitedReplies(),
            places: SharedPlaces = SharedPlaces(0),
            gateway: Gateway? = nil,
            pushes: PushDelivery? = nil,
            devices: DeviceSender? = nil,
            pages: NotificationPages? = nil,
            forwardingHints: ForwardingHints? = nil,
            ledgerClock: LedgerClock? = nil
        ) {
            self.responder = responder
            self.directory = directory
            self.backends = backends
            self.settlement = settlement
            self.webhookSecrets = webhookSecrets
            self.notifications = notifications
            self.instance = instance
            self.ledger = ledger
            self.settlementWebhooks = settlementWebhooks
            self.noticeImports = noticeImports
            self.adminToken = adminToken
            self.peers = peers
            self.replies = replies
            self.places = places
            self.gateway = gateway
            self.pushes = pushes
            self.devices = devices
            self.pages = pages
            self.forwardingHints = forwardingHints
            self.ledgerClock = ledgerClock ?? LedgerClock(of: ledger)
        }
    }

    /// One of the two listeners, once it is open.
    package enum Endpoint: Hashable, Sendable {
        /// The public listener.
        case payers(ListenAddress)
        case admin(ListenAddress)
    }

    private let parts: Parts
    private let settings: ServiceSettings
    private let logger: Logger
    private let clock: WallClock
    private let monotonic: MonotonicClock
    private let onOpen: @Sendable (Endpoint) -> Void
    private let metrics: PrometheusMetrics
    private let queue: NotificationQueue
    private let admission: Admission
    private let watch: SettlementWatch
    private let probe: LedgerProbe
    private let draining: Draining

    /// Prepares the service. `run()` opens the listeners and returns after shutdown, once all requests in flight are
    /// answered.
    ///
    /// - Parameters:
    ///   - metrics: the metrics registry, which others may share.
    ///   - monotonic: measures the time of draining, of streams and of rates.
    ///   - onOpen: called for each listener once it is open.
    package init(
        _ parts: Parts,
        settings: ServiceSettings,
        logger: Logger,
        metrics: PrometheusMetrics = PrometheusMetrics(),
        clock: @escaping WallClock = { .now() },
        monotonic: MonotonicClock = .system,
        onOpen: @escaping @Sendable (Endpoint) -> Void
    ) {
        self.parts = parts
        self.settings = settings
        self.logger = logger
        self.metrics = metrics
        self.clock = clock
        self.monotonic = monotonic
        self.onOpen = onOpen
        queue = NotificationQueue(limits: settings.queue, metrics: metrics)
        admission = Admission(
            settings.rates, shared: parts.ledger.sharedRates,
            instances: { [instance = parts.instance] in instance.alive },
            metrics: metrics, clock: monotonic)
        draining = Draining(time: .seconds(Int64(clamping: settings.drainTime)), clock: monotonic, logger: logger)
        watch = SettlementWatch(parts.backends.keys)
        probe = LedgerProbe { [ledger = parts.ledger] () throws(LedgerFault) in try await ledger.probe() }
    }

    /// Runs until shutdown.
    package func run() async throws {
        let limits = possibleLimits()
        parts.places.total = limits.waiting
        LedgerObserver(metrics: metrics, logger: logger).observe(parts.ledger)
        let skipped = Counter(label: "responder_settlements_unreadable_total", factory: metrics)
        let report: @Sendable (SettlementFollower.Event) -> Void = { [logger, watch] event in
            if let notice = watch.note(event) { logger.note(event, notice, counting: skipped) }
        }
        let followers = parts.backends.map { name, backend in
            holding(.following(name)) { [parts, clock, watch] lease in
                watch.begin(name)
                await SettlementFollower(
                    of: name, backend, in: parts.ledger, knownNodes: parts.responder.knownNodes, clock: clock,
                    isSteady: parts.ledgerClock.isSteady,
                    report: report
                ).run(under: lease)
            }
        }
        let upkeep = LedgerUpkeep(
            ledger: parts.ledger,
            removal: ExpiredInvoiceRemoval(
                ledger: parts.ledger, backends: parts.backends, grace: settings.keepExpired),
            gateway: parts.gateway, devices: parts.devices == nil ? nil : parts.ledger, clock: clock,
            isSteady: parts.ledgerClock.isSteady, logger: logger)
        parts.ledgerClock.report { [logger] in logger.note($0) }
        parts.responder.nodeClocks.report { [logger] in logger.note($0) }
        let outbox = OutboxService(
            parts.ledger, outboxHandlers, instance: parts.instance.id, metrics: metrics, clock: clock, logger: logger)
        let services: [any Service] =
            followers + [
                AccountWatch(
                    accounts: parts.responder.accounts, noticeImports: parts.noticeImports, logger: logger),
                holding(.upkeep) { await upkeep.run(under: $0) },
                holding(.outbox) { await outbox.run(under: $0) },
                BackgroundTask { [parts] in await parts.instance.run() },
                BackgroundTask { [parts] in await parts.ledgerClock.run() },
                // Services shut down in reverse order: the listeners stop before the queue drains, and before them those
                // who wait for a device are told.
                queue, adminListener(limits), listener(limits),
            ] + replyServices + [draining]
        // When one service fails, for example because a port is taken, the others shut down gracefully: if cancelled,
        // they would log errors.
        let group = ServiceGroupConfiguration(
            services: services.map { .init(service: $0, failureTerminationBehavior: .gracefullyShutdownGroup) },
            logger: logger)
        try await ServiceGroup(configuration: group).run()
    }

    /// Does work while this instance holds a lease.
    private func holding(_ name: LeaseName, _ work: @escaping @Sendable (Lease) async -> Void) -> BackgroundTask {
        BackgroundTask { [parts] in await parts.instance.holding(name, work) }
    }

    /// The configured limits, with connections capped to what the system allows.
    private func possibleLimits() -> ServiceLimits {
        let others = settings.otherDescriptors + (parts.gateway == nil ? 0 : WebhookPoster.maximumInFlight)
        let wanted = settings.limits.descriptors(beside: others)
        guard let allowed = DescriptorLimit.raise(to: wanted), allowed < wanted else { return settings.limits }
        let possible = settings.limits.within(descriptors: allowed, beside: others)
        logger.warning(
            "the system allows fewer connections than configured",
            metadata: [
                "connections": "\(possible.connections)", "configured": "\(settings.limits.connections)",
                "descriptors": "\(allowed)", "needed": "\(wanted)",
            ]
        )
        return possible
    }

    private func listener(_ limits: ServiceLimits) -> Listener {
        Listener(
            address: settings.listen,
            limits: limits,
            sockets: ClientSockets(limits.connections, trusting: settings.rates.trustedProxies),
            unreadable: PublicRouter.unreadable(counting: unreadable(at: "payers")),
            router: { publicRouter(limits) },
            logger: logger,
            isStopping: { [draining] in draining.isDraining },
            onRunning: { address in
                draining.open()
                onOpen(.payers(address))
            }
        )
    }

    func publicRouter(_ limits: ServiceLimits) -> Router<ServiceContext> {
        PublicRouter.router(
            responder: parts.directory, hosts: hosts, settings: settings, notifications: notificationRoutes,
            gateway: gatewayRoutes, pushes: pushRoutes, devices: deviceRoutes, stream: streamRoute(limits),
            hints: hintRoute, admission: admission, backends: parts.backends, metrics: metrics)
    }

    private var outboxHandlers: [any OutboxHandler] {
        let mismatches = MismatchObserver(of: parts.backends.keys, metrics: metrics, logger: logger)
        mismatches.observe(parts.ledger)
        var handlers: [any OutboxHandler] = DeviceSender.outboxHandlers(parts.devices)
        handlers.append(
            MismatchedInvoices(
                ledger: parts.ledger, backends: parts.backends, clock: clock, report: { mismatches.note($0) }))
        if let webhooks = parts.settlementWebhooks { handlers.append(webhooks) }
        if let pushes = parts.pushes { handlers.append(pushes) }
        if let notifications = parts.notifications {
            handlers.append(
                NotificationJobHandler(
                    notifications: AcceptedNotifications(
                        intake: notifications, queue: queue, observer: NotificationObserver(metrics: metrics)),
                    logger: logger))
        }
        return handlers
    }

    private var pushRoutes: PushRoutes? {
        parts.pushes.map { PushRoutes($0, admission: admission, metrics: metrics) }
    }

    private var deviceRoutes: DeviceRoutes? {
        parts.devices.map { DeviceRoutes($0, admission: admission, metrics: metrics) }
    }

    /// The pages of the notification center, and what keeps them up to date.
    private func streamRoute(_ limits: ServiceLimits) -> StreamRoute? {
        parts.pages.map { pages in
            StreamRoute(
                pages: PageRoutes(
                    pages: pages, admission: admission,
                    links: UsedLinks(shared: parts.ledger.sharedRates, at: clock()), clock: clock, metrics: metrics),
                places: parts.places, requestTime: limits.requestTime, clock: monotonic,
                isStopping: { [draining] in draining.isDraining })
        }
    }

    private var hintRoute: ForwardingHintRoute? {
        parts.forwardingHints.map { ForwardingHintRoute($0, admission: admission, metrics: metrics) }
    }

    /// Those who wait for a device are told when the service stops; until then replies that reach other instances are taken.
    private var replyServices: [any Service] {
        guard parts.gateway != nil || parts.pushes != nil else { return [] }
        let stop = ReplyStop(awaited: parts.replies)
        guard parts.ledger.sharedReplies != nil else { return [stop] }
        return [BackgroundTask { [parts] in await parts.replies.run() }, stop]
    }

    private var gatewayRoutes: GatewayRoutes? {
        parts.gateway.map { GatewayRoutes($0, admission: admission, clock: clock, metrics: metrics) }
    }

    private var hosts: HostSelection {
        HostSelection(
            accounts: parts.responder.accounts,
            trustedProxies: settings.trustsForwardedHost ? settings.rates.trustedProxies : [])
    }

    private var notificationRoutes: NotificationRoutes? {
        parts.notifications.map { notifications in
            NotificationRoutes(
                notifications, secrets: parts.webhookSecrets, hosts: hosts, admission: admission, queue: queue,
                metrics: metrics, devices: parts.gateway?.answerer)
        }
    }

    private func adminListener(_ limits: ServiceLimits) -> Listener {
        Listener(
            address: settings.adminListen,
            limits: limits,
            sockets: nil,
            unreadable: AdminRouter.unreadable(counting: unreadable(at: "admin")),
            router: { adminRouter },
            logger: logger,
            isStopping: { false },
            onRunning: { onOpen(.admin($0)) }
        )
    }

    private func unreadable(at listener: String) -> Counter {
        Counter(label: "responder_unreadable_requests_total", dimensions: [("listener", listener)], factory: metrics)
    }

    var adminRouter: Router<ServiceContext> {
        let ledger = parts.ledger
        let directory = parts.responder.accounts
        let listener = AdminRouter(token: parts.adminToken, metrics: metrics)
        AccountRoutes(
            ledger: ledger,
            editor: AccountEditor(
                ledger: ledger,
                backends: parts.backends,
                clock: clock
            ),
            directory: directory,
            secrets: parts.webhookSecrets
        ).add(to: listener)
        DomainRoutes(
            ledger: ledger, editor: DomainEditor(ledger: ledger, backends: parts.backends.keys), directory: directory
        ).add(to: listener)
        EventRoutes(ledger: ledger, directory: directory).add(to: listener)
        InvoiceRoutes(ledger: ledger, directory: directory, settlement: parts.settlement, clock: clock).add(
            to: listener)
        OfferRoutes(
            responder: parts.responder, secrets: parts.webhookSecrets, peers: parts.peers, clock: clock
        ).add(to: listener)
        PeerRoutes(peers: parts.peers).add(to: listener)
        RegistrationRoutes(
            ledger: ledger, directory: directory, secrets: parts.webhookSecrets, channel: parts.gateway?.channel,
            clock: clock
        ).add(to: listener)
        DeviceAdminRoutes(ledger: ledger, center: parts.devices?.center).add(to: listener)
        OutboxRoutes(outbox: parts.ledger, directory: directory, clock: clock).add(to: listener)
        HealthRoutes(
            backends: parts.backends, knownNodes: parts.responder.knownNodes, instance: parts.instance, ledger: ledger,
            watch: watch, probe: probe, draining: draining, clock: parts.ledgerClock
        ).add(to: listener)
        InstanceRoutes(ledger: ledger).add(to: listener)
        listener.addOpen("/openapi.yaml") {
            .text(
                String(decoding: PackageResources.admin_api_yaml, as: UTF8.self),
                contentType: "application/yaml; charset=utf-8")
        }
        let gauges = InstanceGauges(instance: parts.instance, watch: watch, metrics: metrics)
        listener.addOpen("/metrics") { [metrics, ledger] in
            gauges.update()
            return .text(
                metrics.page() + ledger.statistics.page + ((try? await ledger.totals())?.page ?? ""),
                contentType: "text/plain; version=0.0.4; charset=utf-8")
        }
        return listener.finished()
    }
}
