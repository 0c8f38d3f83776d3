import LightningCoding

/// The answer to a `DNSQuestion`: what a resolver claims. Nothing is proved.
struct DNSReply: Hashable {
    /// The text of one record, its strings joined, with its time to live in seconds.
    struct Record: Hashable {
        let text: String
        let timeToLive: UInt32
    }

    /// RFC 1035, section 4.1.1: 0 no error, 3 no such name.
    let code: UInt16
    /// Whether the resolver says that it has checked the signatures (RFC 6840, section 5.8).
    let isAuthenticated: Bool
    let records: [Record]

    /// Parses a message. Throws `truncated`, or `invalidCharacter` for a name that cannot be skipped.
    init(parsing bytes: [UInt8]) throws(CodingFault) {
        var reader = ByteReader(bytes)
        _ = try reader.readUInt16()
        let flags = try reader.readUInt16()
        let (questions, answers) = (try reader.readUInt16(), try reader.readUInt16())
        _ = try reader.readUInt32()
        for _ in 0..<questions {
            try reader.skipName()
            _ = try reader.readUInt32()
        }
        var records: [Record] = []
        for _ in 0..<answers {
            try reader.skipName()
            let type = try reader.readUInt16()
            _ = try reader.readUInt16()
            let time = try reader.readUInt32()
            let data = try reader.read(Int(try reader.readUInt16()))
            if type == 16 { records.append(Record(text: try Self.text(of: data), timeToLive: time)) }
        }
        code = flags & 0xF
        isAuthenticated = flags & 0x20 != 0
        self.records = records
    }

    private static func text(of data: ArraySlice<UInt8>) throws(CodingFault) -> String {
        var reader = ByteReader(data)
        var text: [UInt8] = []
        while !reader.isAtEnd { text += try reader.read(Int(try reader.readByte())) }
        return String(decoding: text, as: UTF8.self)
    }
}

extension ByteReader {
    /// Skips labels up to the root, or to a pointer (RFC 1035, section 4.1.4).
    fileprivate mutating func skipName() throws(CodingFault) {
        while true {
            let length = try readByte()
            guard length != 0 else { return }
            if length & 0xC0 == 0xC0 {
                _ = try readByte()
                return
            }
            guard length & 0xC0 == 0 else { throw CodingFault(.invalidCharacter, at: offset) }
            _ = try read(Int(length))
        }
    }
}

/// A question for the TXT records of a payment name (BIP-353), as a DNS message (RFC 1035, section 4).
struct DNSQuestion {
    let bytes: [UInt8]

    /// `<name>.user._bitcoin-payment.<domain>.`; nil when a label or the whole does not fit.
    init?(paymentName name: String, domain: String) {
        let labels = "\(name).user._bitcoin-payment.\(domain)".utf8.split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.allSatisfy({ (1...63).contains($0.count) }), labels.reduce(1, { $0 + 1 + $1.count }) <= 255 else {
            return nil
        }
        var writer = ByteWriter(capacity: 300)
        // No id, so that answers can be cached (RFC 8484, section 4.1); recursion desired, and the AD bit understood.
        writer.write([0, 0, 0x01, 0x20, 0, 1, 0, 0, 0, 0, 0, 1])
        for label in labels {
            writer.write([UInt8(label.count)])
            writer.write(Array(label))
        }
        // The root, TXT, IN; then an OPT record that takes 4096 bytes and signatures (RFC 6891, RFC 3225).
        writer.write([0, 0, 16, 0, 1])
        writer.write([0, 0, 41, 0x10, 0, 0, 0, 0x80, 0, 0, 0])
        bytes = writer.bytes
    }
}
