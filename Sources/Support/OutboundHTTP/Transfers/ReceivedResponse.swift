import LightningCoding

/// A partially received response, kept within its limits.
struct ReceivedResponse {
    var maximumHeaderBytes = 0
    var maximumBodyBytes = 0
    var wantsBody = true
    /// Whether the header section of the final response is complete: then its status is final, whatever happens to the
    /// body.
    private(set) var isHeaderComplete = false
    private(set) var headers: [HTTPField] = []
    private(set) var body: [UInt8] = []
    private(set) var fault: OutboundFault?
    private var headerBytes = 0
    private var isInterim = false
    private var drainedBytes = 0

    /// How much of an unwanted body is read to keep the connection usable.
    private static let maximumDrainedBytes = 4 << 10

    /// Takes one header line and returns how many bytes were taken: fewer than given aborts the transfer.
    mutating func takeHeader(_ line: UnsafeRawBufferPointer) -> Int {
        headerBytes += line.count
        guard headerBytes <= maximumHeaderBytes else {
            fault = .headersTooLarge
            return 0
        }
        if line.starts(with: "HTTP/".utf8) {
            // An interim response (1xx) may have preceded.
            headers.removeAll()
            headers.reserveCapacity(16)
            isInterim = line.drop { $0 != UInt8(ascii: " ") }.dropFirst().first == UInt8(ascii: "1")
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            let name = String(decoding: line[..<colon], as: UTF8.self)
            headers.append(HTTPField(received: name, String(decoding: line[(colon + 1)...].trimmed, as: UTF8.self)))
        } else if !isInterim, line.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) {
            isHeaderComplete = true
        }
        return line.count
    }

    /// Takes a piece of the body, likewise.
    mutating func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard wantsBody else {
            drainedBytes += bytes.count
            return drainedBytes <= Self.maximumDrainedBytes ? bytes.count : 0
        }
        guard bytes.count <= maximumBodyBytes - body.count else {
            fault = .bodyTooLarge
            return 0
        }
        body.append(contentsOf: bytes)
        return bytes.count
    }
}
