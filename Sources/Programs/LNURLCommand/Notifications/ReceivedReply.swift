import LightningCoding
import Platform

struct ReceivedReply {
    let contentType: String?
    let cacheControl: String?
    let body: [UInt8]
    let arrivedAt = MonotonicTime.now

    /// For how many seconds the reply may be cached: the first `max-age`, as breez-lnurl parses it.
    var maxAge: UInt64? {
        cacheControl?.split(separator: ",").lazy
            .map { $0.filter { $0 != " " } }.first { $0.hasPrefix("max-age=") }
            .flatMap { UInt64($0.dropFirst("max-age=".count)) }
    }
}
