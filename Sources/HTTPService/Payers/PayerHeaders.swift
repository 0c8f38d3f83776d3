import HTTPTypes
import Hummingbird

/// The headers of responses to payers, built once.
enum PayerHeaders {
    static let noStore = JSONHeaders.payer(caching: .noStore)
    static let forever = JSONHeaders.payer(caching: .forever)

    /// The response to a CORS preflight.
    ///
    /// - Parameters:
    ///   - registers: whether wallets register here, and so unregister.
    ///   - hasDevices: whether devices ask here; they show their secret in a field that `*` does not stand for.
    static func preflight(registers: Bool, hasDevices: Bool = false) -> HTTPFields {
        let more = hasDevices ? "PUT, PATCH, DELETE, " : registers ? "DELETE, " : ""
        let methods = "GET, HEAD, POST, \(more)OPTIONS"
        return [
            .accessControlAllowOrigin: "*",
            .accessControlAllowMethods: methods,
            .accessControlAllowHeaders: hasDevices ? "*, Authorization" : "*",
            .accessControlMaxAge: "86400",
            .allow: methods,
        ]
    }
}
