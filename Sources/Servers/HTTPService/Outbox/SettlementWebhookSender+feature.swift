package import ResponderCore

extension SettlementWebhookSender: ServiceFeature {
    package func addRoutes(to router: PublicRouter) {}

    package var outboxHandlers: [any OutboxHandler] { [self] }
}
