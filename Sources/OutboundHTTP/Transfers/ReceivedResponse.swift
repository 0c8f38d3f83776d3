/// An answer as far as it has come, held to its limits.
struct ReceivedResponse {
    var maximumHeaderBytes = 0
    var maximumBodyBytes = 0
    private(set) var headers: [HTTPField] = []
    private(set) var body: [UInt8] = []
    private(set) var fault: OutboundFault?
    private var headerBytes = 0

    /// Takes one line of a header section and says how many bytes were taken: fewer than given end the transfer.
    mutating func takeHeader(_ line: UnsafeRawBufferPointer) -> Int {
        headerBytes += line.count
        guard headerBytes <= maximumHeaderBytes else {
            fault = .headersTooLarge
            return 0
        }
        if line.starts(with: "HTTP/".utf8) {
            // An interim answer (1xx) came before.
            headers.removeAll()
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            let name = String(decoding: line[..<colon], as: UTF8.self)
            headers.append(HTTPField(received: name, Self.trimmed(line[(colon + 1)...])))
        }
        return line.count
    }

    /// Takes a piece of the body, in the same manner.
    mutating func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard bytes.count <= maximumBodyBytes - body.count else {
            fault = .bodyTooLarge
            return 0
        }
        body.append(contentsOf: bytes)
        return bytes.count
    }

    private static func trimmed(_ value: Slice<UnsafeRawBufferPointer>) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let start = value.firstIndex { !isSpace($0) } ?? value.endIndex
        let end = value.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start
        return String(decoding: value[start..<end], as: UTF8.self)
    }
}
