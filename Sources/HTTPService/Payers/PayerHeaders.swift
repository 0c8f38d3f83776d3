import HTTPTypes
import Hummingbird

/// The headers of responses to payers, built once.
enum PayerHeaders {
    static let noStore = JSONHeaders.payer(caching: .noStore)
    static let forever = JSONHeaders.payer(caching: .forever)

    /// The response to a CORS preflight.
    static let preflight: HTTPFields = [
        .accessControlAllowOrigin: "*",
        .accessControlAllowMethods: "GET, HEAD, POST, OPTIONS",
        .accessControlAllowHeaders: "*",
        .accessControlMaxAge: "86400",
        .allow: "GET, HEAD, POST, OPTIONS",
    ]
}
