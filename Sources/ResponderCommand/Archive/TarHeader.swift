/// The 512 bytes before each file of a tar archive (POSIX `ustar`): plain files, none deeper than in one folder,
/// and nothing else.
struct TarHeader: Hashable, Sendable {
    static let count = 512
    /// The longest name, in bytes.
    static let maximumName = 99
    /// The largest file: what eleven octal digits hold, 8 GiB.
    static let maximumSize: UInt64 = 0o77_777_777_777

    /// A name, or a folder's name, `/` and a name.
    let name: String
    /// Bytes.
    let size: UInt64
    /// Permission bits.
    let mode: UInt16
    /// Seconds since 1970.
    let modifiedAt: UInt64

    /// A header that can be written.
    init(name: String, size: UInt64, mode: UInt16, modifiedAt: UInt64) throws(ArchiveFault) {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard name.utf8.count <= Self.maximumName, parts.count <= 2,
            !parts.contains(where: { ["", ".", ".."].contains($0) })
        else { throw .badName }
        guard size <= Self.maximumSize, modifiedAt <= Self.maximumSize else { throw .tooLarge }
        self.name = name
        self.size = size
        self.mode = mode & 0o777
        self.modifiedAt = modifiedAt
    }

    /// The folder in which the file lies; nil for none.
    var folder: Substring? {
        name.firstIndex(of: "/").map { name[..<$0] }
    }

    /// The bytes.
    var bytes: [UInt8] {
        var block = [UInt8](repeating: 0, count: Self.count)
        func put(_ text: some Sequence<UInt8>, at offset: Int) {
            for (index, byte) in text.enumerated() { block[offset + index] = byte }
        }
        put(name.utf8, at: 0)
        put(Self.octal(UInt64(mode), digits: 7), at: 100)
        put(Self.octal(0, digits: 7), at: 108)
        put(Self.octal(0, digits: 7), at: 116)
        put(Self.octal(size, digits: 11), at: 124)
        put(Self.octal(modifiedAt, digits: 11), at: 136)
        block[156] = UInt8(ascii: "0")
        put("ustar".utf8, at: 257)
        put("00".utf8, at: 263)
        put(Self.octal(Self.checksum(block), digits: 6) + [0, 0x20], at: 148)
        return block
    }

    /// Reads a header; nil at the end of the archive, which is a block of zeros.
    init?(_ block: [UInt8]) throws(ArchiveFault) {
        guard block.count == Self.count else { throw .truncated }
        if block.allSatisfy({ $0 == 0 }) { return nil }
        guard block[257..<262].elementsEqual("ustar".utf8) else { throw .notAnArchive }
        guard try Self.number(block[148..<156]) == Self.checksum(block) else { throw .badChecksum }
        guard block[156] == UInt8(ascii: "0") || block[156] == 0, block[345] == 0 else { throw .notAPlainFile }
        guard let name = String(validating: block[..<100].prefix { $0 != 0 }, as: UTF8.self) else { throw .badName }
        try self.init(
            name: name,
            size: Self.number(block[124..<136]),
            mode: UInt16(truncatingIfNeeded: Self.number(block[100..<108])),
            modifiedAt: Self.number(block[136..<148])
        )
    }

    /// The bytes that fill a file's last block.
    static func padding(after size: UInt64) -> Int {
        Int((UInt64(count) - size % UInt64(count)) % UInt64(count))
    }

    private static func octal(_ value: UInt64, digits: Int) -> [UInt8] {
        let text = String(value, radix: 8)
        return Array(repeatElement(UInt8(ascii: "0"), count: max(0, digits - text.utf8.count))) + Array(text.utf8)
    }

    private static func number(_ field: ArraySlice<UInt8>) throws(ArchiveFault) -> UInt64 {
        let text = String(decoding: field.prefix { $0 != 0 && $0 != 0x20 }, as: UTF8.self)
        guard let value = UInt64(text, radix: 8) else { throw .badNumber }
        return value
    }

    /// The sum of all bytes, the checksum's own counted as spaces.
    private static func checksum(_ block: [UInt8]) -> UInt64 {
        block.enumerated().reduce(0) { $0 + UInt64((148..<156).contains($1.offset) ? 0x20 : $1.element) }
    }
}
