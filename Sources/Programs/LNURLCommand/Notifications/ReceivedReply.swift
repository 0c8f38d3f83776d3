import LightningCoding

struct ReceivedReply {
    let contentType: String?
    let cacheControl: String?
    let body: [UInt8]

    /// For how many seconds the reply may be cached: the first `max-age`, as breez-lnurl parses it.
    var maxAge: UInt64? {
        cacheControl?.split(separator: ",").lazy
            .map { $0.filter { $0 != " " } }.first { $0.hasPrefix("max-age=") }
            .flatMap { UInt64($0.dropFirst("max-age=".count)) }
    }
}

/// A partially received HTTP/1.1 request of bounded size.
struct PartialRequest {
    enum State {
        case incomplete
        case malformed
        case tooLarge
        case complete(method: String, target: String, ReceivedReply)
    }

    private static let maximumHeaderCount = 32 << 10
    private static let maximumBodyCount = 1 << 20

    private var bytes: [UInt8] = []
    private var headerEnd: Int?

    mutating func append(_ more: some Collection<UInt8>) {
        let searched = max(0, bytes.count - 3)
        bytes += more
        guard headerEnd == nil, bytes.count >= 4 else { return }
        headerEnd = (searched...(bytes.count - 4)).first { bytes[$0..<$0 + 4].elementsEqual([13, 10, 13, 10]) }
    }

    var state: State {
        guard let headerEnd else { return bytes.count > Self.maximumHeaderCount ? .tooLarge : .incomplete }
        let lines = String(decoding: bytes[..<headerEnd], as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return .malformed }
        let fields = Self.fields(lines.dropFirst())
        guard fields["transfer-encoding"] == nil, let count = Int(fields["content-length"] ?? "0"), count >= 0 else {
            return .malformed
        }
        guard count <= Self.maximumBodyCount else { return .tooLarge }
        let body = bytes[(headerEnd + 4)...]
        guard body.count >= count else { return .incomplete }
        let reply = ReceivedReply(
            contentType: fields["content-type"], cacheControl: fields["cache-control"], body: Array(body.prefix(count)))
        return .complete(method: String(words[0]), target: String(words[1]), reply)
    }

    /// By lower-case name; the first of repeated fields counts.
    private static func fields(_ lines: ArraySlice<Substring>) -> [String: String] {
        var fields: [String: String] = [:]
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let name = line[..<colon].lowercased()
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            if fields[name] == nil { fields[name] = String(value) }
        }
        return fields
    }
}
