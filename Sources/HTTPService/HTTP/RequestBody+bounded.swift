import Hummingbird
import HummingbirdCore
import LightningCoding
import NIOCore

/// Why a request body could not be read.
enum BodyFault: Error, Hashable, Sendable {
    /// It is longer than allowed.
    case tooLarge
    /// It is not JSON.
    case json(JSONFault)
    /// The connection was lost.
    case incomplete
}

extension Request {
    /// The body as JSON, read up to a limit; not read at all when the header announces more.
    func json(limit: Int) async throws(BodyFault) -> JSONValue {
        let buffer = try await bytes(limit: limit)
        return try rethrowing(JSONValue(parsing: buffer), as: BodyFault.json)
    }

    /// The raw body, read up to a limit; not read at all when the header announces more.
    func bytes(limit: Int) async throws(BodyFault) -> [UInt8] {
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > limit { throw .tooLarge }
        do {
            return Array(buffer: try await body.collect(upTo: limit))
        } catch is NIOTooManyBytesError {
            throw .tooLarge
        } catch {
            throw .incomplete
        }
    }
}
