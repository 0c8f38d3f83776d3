import LightningCoding
import Testing

@Suite("Reading and writing bytes", .timeLimit(.minutes(5)))
struct ByteReaderTests {
    @Test("Integers are big-endian, and written as they are read")
    func integers() throws {
        var writer = ByteWriter(capacity: 16)
        writer.write(0x01)
        writer.writeUInt16(0x0203)
        writer.writeUInt32(0x0405_0607)
        writer.writeUInt64(0x0809_0a0b_0c0d_0e0f)
        writer.write([0x10, 0x11])
        #expect(writer.bytes == (1...17).map { UInt8($0) })

        var reader = ByteReader(writer.bytes)
        #expect(try reader.readByte() == 0x01)
        #expect(try reader.readUInt16() == 0x0203)
        #expect(try reader.readUInt32() == 0x0405_0607)
        #expect(try reader.readUInt64() == 0x0809_0a0b_0c0d_0e0f)
        #expect(reader.offset == 15)
        #expect(reader.remaining == 2)
        #expect(try reader.read(1) == [0x10])
        #expect(reader.readRemaining() == [0x11])
        #expect(reader.isAtEnd)
        #expect(throws: Never.self) { try reader.requireEnd() }
    }

    @Test("Offsets count from the start of a slice, and slices share its buffer")
    func slices() throws {
        let bytes: [UInt8] = [0xff, 0xff, 1, 2, 3]
        var reader = ByteReader(bytes[2...])
        #expect(reader.offset == 0)
        #expect(try reader.read(2).startIndex == 2)
        #expect(reader.offset == 2)
        #expect(throws: CodingFault(.truncated, at: 2)) { try reader.readUInt16() }
        #expect(throws: CodingFault(.trailingBytes, at: 2)) { try reader.requireEnd() }
    }

    @Test("Nothing is consumed where too few bytes are left")
    func truncated() throws {
        var reader = ByteReader([1, 2, 3])
        #expect(throws: CodingFault(.truncated, at: 0)) { try reader.readUInt32() }
        #expect(throws: CodingFault(.truncated, at: 0)) { try reader.readUInt64() }
        #expect(throws: CodingFault(.truncated, at: 0)) { try reader.read(4) }
        #expect(throws: CodingFault(.truncated, at: 0)) { try reader.read(.max) }
        #expect(throws: CodingFault(.truncated, at: 0)) { try reader.read(-1) }
        #expect(try reader.read(0) == [])
        #expect(try reader.read(3) == [1, 2, 3])
        #expect(throws: CodingFault(.truncated, at: 3)) { try reader.readByte() }
        #expect(throws: CodingFault(.truncated, at: 3)) { try reader.readBigSize() }
    }

    @Test("A bigsize that is refused is named by its first byte")
    func bigSizeOffsets() throws {
        var reader = ByteReader([0x05, 0xfd, 0x00, 0xfc, 0xfe, 0x00])
        #expect(try reader.readBigSize() == 5)
        #expect(throws: CodingFault(.notMinimal, at: 1)) { try reader.readBigSize() }
        #expect(throws: CodingFault(.truncated, at: 4)) { try reader.readBigSize() }
    }

    @Test("Truncated integers fill the rest of the buffer")
    func truncatedIntegers() throws {
        var reader = ByteReader([0xaa, 0x01, 0x00])
        #expect(try reader.readByte() == 0xaa)
        var narrow = ByteReader([0x01, 0x00, 0x00])
        #expect(throws: CodingFault(.tooLong, at: 0)) { try narrow.readTruncated(UInt16.self) }
        var wide = ByteReader([UInt8](repeating: 1, count: 9))
        #expect(throws: CodingFault(.tooLong, at: 0)) { try wide.readTruncated(UInt128.self) }
        #expect(try reader.readTruncated(UInt16.self) == 256)
        #expect(try reader.readTruncated(UInt64.self) == 0)
        var zero = ByteReader([0x07, 0x00])
        _ = try zero.readByte()
        #expect(throws: CodingFault(.leadingZero, at: 1)) { try zero.readTruncated(UInt64.self) }
    }

    @Test("A truncated integer is written without leading zeros")
    func writingTruncated() {
        var writer = ByteWriter()
        writer.writeTruncated(0)
        #expect(writer.bytes == [])
        writer.writeTruncated(0xff)
        writer.writeTruncated(0x100)
        writer.writeTruncated(UInt64.max)
        #expect(writer.bytes == [0xff, 0x01, 0x00] + [UInt8](repeating: 0xff, count: 8))
    }
}
