/// Splits a stream of bytes into lines (`grpc-gateway` ends each message with a line feed) of limited length.
struct LineSplitter {
    private let limit: Int
    private var bytes: [UInt8] = []
    /// The end of the part without a line feed.
    private var searched = 0
    private var start = 0

    /// A line is longer than the limit.
    struct TooLong: Error {}

    init(limit: Int) {
        self.limit = limit
    }

    mutating func append(_ more: [UInt8]) {
        bytes.removeSubrange(..<start)
        searched -= start
        start = 0
        bytes.append(contentsOf: more)
    }

    /// The next complete non-empty line, without its end; nil when more bytes are needed.
    mutating func next() throws(TooLong) -> [UInt8]? {
        while let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = bytes[start..<end]
            start = end + 1
            searched = start
            guard line.count <= limit else { throw TooLong() }
            if !line.isEmpty { return Array(line) }
        }
        searched = bytes.count
        guard bytes.count - start <= limit else { throw TooLong() }
        return nil
    }
}
