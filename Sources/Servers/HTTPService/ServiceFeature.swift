package import ResponderCore
package import ServiceLifecycle

/// A part of the service that can be left out: what is not in the list of features costs nothing.
///
/// A member has an empty default where most features have nothing.
package protocol ServiceFeature: Sendable {
    /// Adds what it answers at the public listener.
    func addRoutes(to router: PublicRouter)
    /// Adds what the operator may ask of it.
    func addAdminRoutes(to router: AdminRouter)
    /// What runs until shutdown; it ends after the listeners.
    var services: [any Service] { get }
    /// The kinds of outbox work that it carries out.
    var outboxHandlers: [any OutboxHandler] { get }
    /// What one instance does now and then.
    var upkeep: [UpkeepTask] { get }
    /// The file descriptors that it may need at once, besides those of the listeners.
    var descriptors: Int { get }
    /// Answers the clients that wait for somebody else: the listeners are about to stop.
    func stop() async
}

extension ServiceFeature {
    package func addRoutes(to router: PublicRouter) {}
    package func addAdminRoutes(to router: AdminRouter) {}
    package var services: [any Service] { [] }
    package var outboxHandlers: [any OutboxHandler] { [] }
    package var upkeep: [UpkeepTask] { [] }
    package var descriptors: Int { 0 }
    package func stop() async {}
}

extension SettlementWebhookSender: ServiceFeature {
    package var outboxHandlers: [any OutboxHandler] { [self] }
}
