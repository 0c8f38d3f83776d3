import Hummingbird
import HummingbirdCore
import LightningCoding
import LightningCrypto
import NIOCore
import Platform

/// Why a request body could not be read.
enum BodyFault: Error, Hashable, Sendable {
    case tooLarge
    /// Other bodies that are being received take up the memory for them.
    case crowded
    /// It is not JSON.
    case json(JSONFault)
    case incomplete
}

/// Blocks of memory for the bodies that are being received, besides the first block of each, which is always there: a payer,
/// a wallet or a device sends no more.
enum BodyBlocks {
    /// In bytes.
    static let size = 16 << 10
    /// 32 MiB for what strangers send.
    static let ofStrangers = SharedSlots(2_048)
    /// 8 MiB for what operators send.
    static let ofOperators = SharedSlots(512)
}

extension Request {
    /// The body as JSON, read as `bytes` does.
    func json(
        limit: Int, from network: ClientNetwork? = nil, in blocks: SharedSlots = BodyBlocks.ofStrangers
    ) async throws(BodyFault) -> JSONValue {
        let buffer = try await bytes(limit: limit, from: network, in: blocks)
        return try rethrowing(JSONValue(parsing: buffer), as: BodyFault.json)
    }

    /// The raw body, read up to a limit; not read at all when the header announces more.
    ///
    /// - Parameters:
    ///   - network: the client's, of whose share the blocks are; nil for operators, and where one block is the limit.
    ///   - blocks: where it is received.
    func bytes(
        limit: Int, from network: ClientNetwork? = nil, in blocks: SharedSlots = BodyBlocks.ofStrangers
    ) async throws(BodyFault) -> [UInt8] {
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > limit { throw .tooLarge }
        var bytes: [UInt8] = []
        var taken: [SharedSlots.Slot] = []
        defer { withExtendedLifetime(taken) {} }
        do {
            for try await part in body {
                guard part.readableBytes <= limit - bytes.count else { throw BodyFault.tooLarge }
                while taken.count < (bytes.count + part.readableBytes - 1) / BodyBlocks.size {
                    do { taken.append(try blocks.take(for: network)) } catch { throw BodyFault.crowded }
                }
                bytes.append(contentsOf: part.readableBytesView)
            }
        } catch let fault as BodyFault {
            throw fault
        } catch {
            throw .incomplete
        }
        return bytes
    }
}

extension URI {
    /// The query decoded like a form.
    ///
    /// - Throws: the fault of the first name or value that is not percent-encoded UTF-8.
    func items() throws(CodingFault) -> [(name: String, value: String)] { try (query ?? "").formItems() }
}

extension String {
    /// Names and values as in `application/x-www-form-urlencoded`: `+` is a space; order and repetitions are kept.
    ///
    /// - Throws: the fault of the first name or value that is not percent-encoded UTF-8.
    func formItems() throws(CodingFault) -> [(name: String, value: String)] {
        var items: [(name: String, value: String)] = []
        for item in utf8.split(separator: UInt8(ascii: "&")) {
            let equals = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            items.append(
                (
                    try PercentEncoding.decode(Substring(item[..<equals]), plusIsSpace: true),
                    try PercentEncoding.decode(Substring(item[equals...].dropFirst()), plusIsSpace: true)
                )
            )
        }
        return items
    }
}

/// What an operator, or whoever an operator trusts, shows: `Authorization: Bearer <token>`.
package struct BearerToken: Sendable {
    private let secret: SecretBytes

    package init(_ text: some Collection<UInt8>) {
        secret = SecretBytes(text)
    }

    /// Whether a header carries this token; compared in constant time.
    func isNamed(by header: String?) -> Bool {
        guard let header, header.utf8.count > 7,
            String(decoding: header.utf8.prefix(7), as: UTF8.self).lowercasedASCII.isExactly("bearer ")
        else { return false }
        return SecretBytes(Array(header.utf8.dropFirst(7))) == secret
    }
}
