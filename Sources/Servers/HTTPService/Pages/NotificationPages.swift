package import Devices
package import LightningCoding
package import LightningCrypto
package import Platform
package import ResponderModel

package struct NotificationPages: Sendable {
    let center: MessageCenter
    let base: HTTPURL
    let key: PageKey
    private let slots: SharedSlots
    private let sharedRates: (any SharedRates)?
    let random: RandomSource

    /// Creates the pages.
    ///
    /// - Parameters:
    ///   - center: the messages.
    ///   - base: where browsers reach the service.
    ///   - key: signs links and sessions; the same at all instances.
    ///   - slots: those of all who wait.
    ///   - sharedRates: counts links over all instances; nil for one alone.
    ///   - random: draws what tells them apart.
    package init(
        _ center: MessageCenter, at base: HTTPURL, key: SecretBytes, slots: SharedSlots,
        sharedRates: (any SharedRates)?, random: @escaping RandomSource = SystemRandom.bytes
    ) {
        self.center = center
        self.base = base
        self.key = PageKey(key)
        self.slots = slots
        self.sharedRates = sharedRates
        self.random = random
    }

    /// The name of the cookie with the session. With https no other host of the domain can set it.
    var cookieName: String { base.scheme == .https ? "__Host-notifications" : "notifications" }

    /// The cookie of a session; nil ends it.
    func cookie(_ session: PageToken?) -> String {
        let age = session == nil ? 0 : PageToken.Purpose.session.lifetime
        let secure = base.scheme == .https ? "; Secure" : ""
        return "\(cookieName)=\(session?.text ?? ""); Path=/; Max-Age=\(age); HttpOnly; SameSite=Strict\(secure)"
    }

    /// The token in the `Cookie` fields of a request; nil unless there is exactly one.
    func session(in fields: [String]) -> PageToken? {
        let prefix = cookieName + "="
        let values = fields.flatMap { $0.utf8.split(separator: UInt8(ascii: ";")) }
            .map { String(decoding: $0.trimmed, as: UTF8.self) }
            .filter { $0.begins(with: prefix) }
        guard values.count == 1, let value = values.first else { return nil }
        return PageToken(String(value.dropFirst(prefix.count)))
    }
}

extension NotificationPages: ServiceFeature {
    /// The pages, and what keeps them up to date.
    package func addRoutes(to router: PublicRouter) {
        let pages = PageRoutes(
            pages: self, admission: router.admission, links: UsedLinks(shared: sharedRates, at: router.clock()),
            clock: router.clock, metrics: router.metrics)
        pages.add(to: router.router)
        StreamRoute(pages, slots: slots, router).add(to: router.router)
    }
}
