import HummingbirdCore
package import ResponderCore

/// Answers payers over LNURL-pay and LNURL-verify.
package struct Payers: ServiceFeature {
    private let directory: ResponderDirectory

    package init(_ directory: ResponderDirectory) {
        self.directory = directory
    }

    package func addRoutes(to router: PublicRouter) {
        let routes = PayerRoutes(directory, router)
        routes.add(to: router.router)
        router.addFallback { routes.answers($0.uri.path) ? await routes.answer($0, $1) : nil }
    }
}
