import Hummingbird
import HummingbirdCore
import LightningCoding
import NIOCore

/// Why the body of a request was not read.
enum BodyFault: Error, Hashable, Sendable {
    /// It is longer than allowed.
    case tooLarge
    /// It is no JSON text.
    case json(JSONFault)
    /// The connection broke off.
    case incomplete
}

extension Request {
    /// The body as JSON, read up to a limit; not at all when the header tells that it is longer.
    func json(limit: Int) async throws(BodyFault) -> JSONValue {
        let buffer = try await bytes(limit: limit)
        do {
            return try JSONValue(parsing: buffer)
        } catch {
            throw .json(error)
        }
    }

    /// The body as it came, read up to a limit; not at all when the header tells that it is longer.
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
