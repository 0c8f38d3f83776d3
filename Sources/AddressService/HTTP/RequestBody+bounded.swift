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
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > limit { throw .tooLarge }
        let buffer: ByteBuffer
        do {
            buffer = try await body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw .tooLarge
        } catch {
            throw .incomplete
        }
        do {
            return try JSONValue(parsing: buffer.readableBytesView)
        } catch {
            throw .json(error)
        }
    }
}
