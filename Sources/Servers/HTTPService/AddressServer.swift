import CoreMetrics
import Hummingbird
package import LightningCoding
package import Logging
package import Platform
package import ResponderCore
package import ResponderModel
import ServiceLifecycle

/// The service: the public listener, the admin listener, and what runs in the background. It follows the nodes, carries out
/// the outbox, and keeps the ledger; everything else is a feature.
package struct AddressServer: Service {
    /// What the service stands on, and its features.
    package struct Parts: Sendable {
        package var responder: Responder
        package var backends: [BackendName: any ReceiveBackend]
        /// This run among all on the ledger: it does what only one may do while it holds the lease of it.
        package var instance: ServiceInstance
        package var ledger: any Ledger
        package var ledgerClock: LedgerClock
        package var adminToken: BearerToken
        /// The slots of all who wait: for devices, for providers of push messages, for what comes over a stream. How many
        /// there are follows from the connections.
        package var slots: SharedSlots
        package var features: [any ServiceFeature]

        package init(
            responder: Responder, backends: [BackendName: any ReceiveBackend], instance: ServiceInstance,
            ledger: any Ledger, ledgerClock: LedgerClock, adminToken: BearerToken, slots: SharedSlots,
            features: [any ServiceFeature]
        ) {
            self.responder = responder
            self.backends = backends
            self.instance = instance
            self.ledger = ledger
            self.ledgerClock = ledgerClock
            self.adminToken = adminToken
            self.slots = slots
            self.features = features
        }
    }

    /// One of the two listeners, once it is open.
    package enum Endpoint: Hashable, Sendable {
        case payers(ListenAddress)
        case admin(ListenAddress)
    }

    let parts: Parts
    private let settings: ServiceSettings
    private let logger: Logger
    private let clock: WallClock
    private let monotonic: MonotonicClock
    private let onOpen: @Sendable (Endpoint) -> Void
    private let metrics: PrometheusMetrics
    private let admission: Admission
    let watch: SettlementWatch
    let probe: LedgerProbe
    let draining: Draining

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
        parts.slots.total = limits.waiting
        let observer = BackgroundObserver(of: parts.backends.keys, metrics: metrics, logger: logger)
        observer.observe(parts.ledger)
        let followers = parts.backends.map { name, backend in
            holding(.following(name)) { [parts, clock, watch] lease in
                watch.begin(name)
                await SettlementFollower(
                    of: name, backend, in: parts.ledger, knownNodes: parts.responder.knownNodes, clock: clock,
                    isSteady: parts.ledgerClock.isSteady,
                    report: { event in if let notice = watch.note(event) { observer.note(event, notice) } }
                ).run(under: lease)
            }
        }
        let removal = ExpiredInvoiceRemoval(
            ledger: parts.ledger, backends: parts.backends, grace: settings.keepExpired)
        let removing = UpkeepTask.removingInvoices(removal) { [logger] count in
            logger.info("expired invoices deleted", metadata: ["count": "\(count)"])
        }
        let upkeep = LedgerUpkeep(
            [removing] + UpkeepTask.standard(parts.ledger) + parts.features.flatMap(\.upkeep), clock: clock,
            isSteady: parts.ledgerClock.isSteady
        ) { [logger, lines = RepeatedLines<String>()] task, error in
            let cause = error.readableReason
            lines.note(task.warning + cause) { times in
                logger.warning("\(task.warning)", metadata: ["cause": .string(cause)].repeated(times))
            }
        }
        parts.ledgerClock.report { [logger] in logger.note($0) }
        parts.responder.nodeClocks.report { [logger] in logger.note($0) }
        let canceling = MismatchedInvoices(ledger: parts.ledger, backends: parts.backends, clock: clock)
        let outbox = OutboxService(
            parts.ledger, [canceling] + parts.features.flatMap(\.outboxHandlers), holder: parts.instance.id.text,
            clock: clock, report: observer.note, noteFault: observer.note)
        let services: [any Service] =
            followers + [
                holding(.upkeep) { await upkeep.run(under: $0) },
                holding(.outbox) { await outbox.run(under: $0) },
                BackgroundTask { [parts] in await parts.instance.run() },
                BackgroundTask { [parts] in await parts.ledgerClock.run() },
                BackgroundTask {
                    let thread = BlockingExecutor(label: "memory")
                    while (try? await Task.sleep(for: .seconds(5))) != nil { thread.perform(FreeMemory.giveBack) }
                },
            ] + parts.features.flatMap { $0.services } + [
                // Services shut down in reverse order: those who wait are told, the listeners stop, and then features end
                // what they have accepted.
                adminListener(limits), listener(limits),
                ShutdownTask { [parts] in for feature in parts.features { await feature.stop() } }, draining,
            ]
        // When one service fails, for example because a port is taken, the others shut down gracefully: if canceled,
        // they would log errors.
        let group = ServiceGroupConfiguration(
            services: services.map { .init(service: $0, failureTerminationBehavior: .gracefullyShutdownGroup) },
            logger: logger)
        try await ServiceGroup(configuration: group).run()
    }

    private func holding(_ name: LeaseName, _ work: @escaping @Sendable (Lease) async -> Void) -> BackgroundTask {
        BackgroundTask { [parts] in await parts.instance.holding(name, work) }
    }

    /// The configured limits, with connections capped to what the system allows.
    private func possibleLimits() -> ServiceLimits {
        let others = parts.features.reduce(0) { $0 + $1.descriptors }
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
            // Whoever reaches a loopback address only is a forwarder of many.
            sockets: settings.listen.isLoopback
                ? nil : ClientSockets(limits.connections, trusting: settings.rates.trustedProxies),
            unreadable: PublicRouter.unreadable(counting: unreadable(at: "payers")),
            answers: { publicRouter(limits).finished() },
            logger: logger,
            isStopping: { [draining] in draining.isDraining },
            onRunning: { address in
                draining.open()
                onOpen(.payers(address))
            }
        )
    }

    func publicRouter(_ limits: ServiceLimits) -> PublicRouter {
        let hosts = HostSelection(
            accounts: parts.responder.accounts,
            trustedProxies: settings.trustsForwardedHost ? settings.rates.trustedProxies : [])
        let router = PublicRouter(
            hosts: hosts, settings: settings, limits: limits, admission: admission, metrics: metrics,
            clock: clock, monotonic: monotonic, isStopping: { [draining] in draining.isDraining })
        for feature in parts.features { feature.addRoutes(to: router) }
        BackendEventRoute(backends: parts.backends, admission: admission, metrics: metrics).add(to: router.router)
        return router
    }

    private func adminListener(_ limits: ServiceLimits) -> Listener {
        Listener(
            address: settings.adminListen,
            limits: limits,
            sockets: nil,
            unreadable: AdminRouter.unreadable(counting: unreadable(at: "admin")),
            answers: { adminRouter.buildResponder() },
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
        let listener = AdminRouter(token: parts.adminToken, clock: clock, metrics: metrics)
        for feature in parts.features { feature.addAdminRoutes(to: listener) }
        addHealth(to: listener)
        listener.add(.get, "/instances") { _, _ throws(AdminFault) in
            let instances = try await AdminFault.asking(await ledger.instances())
            return ["instances": .array(instances.map(\.json))]
        }
        listener.addOpen("/openapi.yaml") {
            .text(
                String(decoding: PackageResources.admin_api_yaml, as: UTF8.self),
                contentType: "application/yaml; charset=utf-8")
        }
        listener.addOpen("/metrics") { [metrics, ledger, parts, watch] in
            metrics.update(parts.instance, watch)
            return .text(
                MetricHelp.added(
                    to: metrics.page() + ledger.statistics.page + ((try? await ledger.totals())?.page ?? "")),
                contentType: "text/plain; version=0.0.4; charset=utf-8")
        }
        return listener.finished()
    }
}
