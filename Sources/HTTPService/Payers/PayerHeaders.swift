import HTTPTypes
import Hummingbird

/// The headers of answers to payers, made once.
enum PayerHeaders {
    static let noStore = JSONHeaders.payer(caching: .noStore)
    static let forever = JSONHeaders.payer(caching: .forever)

    /// The answer to a browser that asks whether it may ask (CORS preflight).
    static let preflight: HTTPFields = [
        .accessControlAllowOrigin: "*",
        .accessControlAllowMethods: "GET, HEAD, POST, OPTIONS",
        .accessControlAllowHeaders: "*",
        .accessControlMaxAge: "86400",
        .allow: "GET, HEAD, POST, OPTIONS",
    ]
}
