import LightningCoding
import Testing

/// Which streams are read is in `Vectors/tlv`; here is where faults stand and what a stream gives back.
@Suite("TLV streams", .timeLimit(.minutes(5)))
struct TLVStreamTests {
    @Test("Records are slices of the stream's own bytes, found by type")
    func records() throws {
        let bytes = try Hexadecimal.decode("0001aa" + "0500" + "fd010002bbcc" + "fe0100000101dd")
        let stream = try TLVStream(parsing: bytes)
        #expect(stream.bytes == bytes)
        #expect(stream.records.map(\.type) == [0, 5, 256, 16_777_217])
        #expect(stream.records.map { Array($0.value) } == [[0xaa], [], [0xbb, 0xcc], [0xdd]])
        #expect(stream.records.map { $0.raw.startIndex } == [0, 3, 5, 11])
        #expect(stream.records.map { $0.value.endIndex } == [3, 5, 11, 18])
        for record in stream.records { #expect(stream[record.type] == record) }
        for absent: UInt64 in [1, 4, 6, 255, 257, .max] { #expect(stream[absent] == nil) }
        #expect(try TLVStream(parsing: [])[0] == nil)
    }

    @Test(
        "A fault stands at the first byte of the item that breaks the rule",
        arguments: [
            ("0100fd", CodingFault(.truncated, at: 2)), ("010002", CodingFault(.truncated, at: 3)),
            ("01000203aabb", CodingFault(.truncated, at: 3)), ("0100fd000200", CodingFault(.notMinimal, at: 2)),
            ("010002fd0001aa", CodingFault(.notMinimal, at: 3)), ("02000100", CodingFault(.outOfOrder, at: 2)),
            ("02000200", CodingFault(.duplicate, at: 2)), ("01ffffffffffffffffff", CodingFault(.truncated, at: 1)),
        ])
    func faults(hexadecimal: String, fault: CodingFault) throws {
        let bytes = try Hexadecimal.decode(hexadecimal)
        #expect(throws: fault) { try TLVStream(parsing: bytes) }
    }

    @Test("New records are joined in increasing order only")
    func joining() throws {
        let low = TLVRecord(type: 1, value: [0xaa])
        let high = TLVRecord(type: 0x1_0000, value: [UInt8](repeating: 0xbb, count: 253))
        #expect(low.raw == [0x01, 0x01, 0xaa])
        #expect(high.raw.prefix(8) == [0xfe, 0x00, 0x01, 0x00, 0x00, 0xfd, 0x00, 0xfd])
        let stream = try TLVStream([low, high])
        #expect(stream.bytes == Array(low.raw + high.raw))
        #expect(stream == (try TLVStream(parsing: stream.bytes)))
        #expect(stream.records == [low, high])
        #expect(stream.records[1].raw.startIndex == 3)
        #expect(throws: CodingFault(.outOfOrder, at: high.raw.count)) { try TLVStream([high, low]) }
        #expect(throws: CodingFault(.duplicate, at: 3)) { try TLVStream([low, low]) }
        #expect(try TLVStream([]).bytes == [])
    }

    @Test("A value of 65536 bytes has a length of five bytes")
    func longValue() throws {
        let record = TLVRecord(type: 7, value: [UInt8](repeating: 1, count: 65_536))
        #expect(record.raw.prefix(6) == [0x07, 0xfe, 0x00, 0x01, 0x00, 0x00])
        #expect(try TLVStream(parsing: Array(record.raw)).records == [record])
    }
}
