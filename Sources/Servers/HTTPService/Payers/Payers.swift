import HummingbirdCore
package import ResponderModel

/// Answers payers over LNURL-pay and LNURL-verify.
package struct Payers: ServiceFeature {
    private let responder: any PayResponder
    private let gateway: Gateway?

    /// - Parameter gateway: its wallets register below the paths of payers; nil without app users.
    package init(_ responder: any PayResponder, gateway: Gateway? = nil) {
        self.responder = responder
        self.gateway = gateway
    }

    package func addRoutes(to router: PublicRouter) {
        let routes = PayerRoutes(
            responder: responder, hosts: router.hosts, settings: router.settings, admission: router.admission,
            gateway: gateway.map {
                GatewayRoutes($0, admission: router.admission, clock: router.clock, metrics: router.metrics)
            }, metrics: router.metrics)
        routes.add(to: router.router)
        router.addFallback { routes.answers($0.uri.path) ? await routes.answer($0, $1) : nil }
    }
}
