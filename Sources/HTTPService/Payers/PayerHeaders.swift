import HTTPTypes
import Hummingbird

/// The headers of responses to payers, built once.
enum PayerHeaders {
    static let noStore = JSONHeaders.payer(caching: .noStore)
    static let forever = JSONHeaders.payer(caching: .forever)

    /// The response to a CORS preflight.
    ///
    /// - Parameter registers: whether wallets register here, and so unregister.
    static func preflight(registers: Bool) -> HTTPFields {
        let methods = "GET, HEAD, POST, \(registers ? "DELETE, " : "")OPTIONS"
        return [
            .accessControlAllowOrigin: "*",
            .accessControlAllowMethods: methods,
            .accessControlAllowHeaders: "*",
            .accessControlMaxAge: "86400",
            .allow: methods,
        ]
    }
}
