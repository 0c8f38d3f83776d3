public import LightningCoding

/// How far a place is from UTC at any moment: a compiled time zone, as the system keeps them in
/// `/usr/share/zoneinfo` (RFC 9636).
public struct TimeZoneRules: Hashable, Sendable {
    /// From each moment on, so many seconds are added to UTC.
    private let changes: [Change]
    private let first: Int64
    /// After the last change.
    private let tail: DaylightRule?

    private struct Change: Hashable, Sendable {
        let moment: Int64
        let offset: Int64
    }

    /// The largest readable file in bytes.
    public static let maximumByteCount = 65_536

    /// Reads a file of version 2 or later.
    public init(_ file: [UInt8]) throws(TimeZoneFault) {
        guard file.count <= Self.maximumByteCount else { throw .malformed }
        var reader = ByteReader(file)
        do {
            let old = try Header(&reader)
            guard old.version >= UInt8(ascii: "2") else { throw TimeZoneFault.version }
            _ = try reader.read(old.byteCount(ofTime: 4))
            let header = try Header(&reader)
            let moments = try (0..<header.times).map { _ in Int64(bitPattern: try reader.readUInt64()) }
            let kinds = try (0..<header.times).map { _ in Int(try reader.readByte()) }
            let offsets = try (0..<header.kinds).map { _ in
                let offset = Int64(Int32(bitPattern: try reader.readUInt32()))
                _ = try reader.read(2)
                return offset
            }
            _ = try reader.read(header.restByteCount)
            guard let first = offsets.first, kinds.allSatisfy(offsets.indices.contains),
                zip(moments, moments.dropFirst()).allSatisfy(<),
                offsets.allSatisfy({ abs($0) <= DaylightRule.largestOffset })
            else { throw TimeZoneFault.malformed }
            self.first = first
            changes = zip(moments, kinds).map { Change(moment: $0, offset: offsets[$1]) }
            tail = try DaylightRule(footer: reader.readRemaining())
        } catch let fault as TimeZoneFault {
            throw fault
        } catch {
            throw .malformed
        }
    }

    /// How many seconds are added to UTC.
    public func offset(at time: UnixTime) -> Int64 {
        let moment = Int64(clamping: min(time, .lastSecond).seconds)
        guard let last = changes.last, moment <= last.moment else {
            return tail?.offset(at: moment) ?? changes.last?.offset ?? first
        }
        return changes.last { $0.moment <= moment }?.offset ?? first
    }
}

/// Why a time zone cannot be read.
public enum TimeZoneFault: ReadableFault, Hashable {
    /// The file is not a compiled time zone.
    case malformed
    /// It is of version 1, which ends in 2038.
    case version

    /// The text for the operator.
    public var reason: String {
        switch self {
        case .malformed: "it is not a compiled time zone"
        case .version: "it is a time zone of version 1, which ends in 2038"
        }
    }
}

/// The beginning of either half of a file.
private struct Header {
    let version: UInt8
    let times: Int
    let kinds: Int
    private let characters: Int
    private let leaps: Int
    private let standards: Int
    private let universals: Int

    init(_ reader: inout ByteReader) throws {
        guard Array(try reader.read(4)) == Array("TZif".utf8) else { throw TimeZoneFault.malformed }
        version = try reader.readByte()
        _ = try reader.read(15)
        func count() throws -> Int {
            let count = Int(try reader.readUInt32())
            guard count <= TimeZoneRules.maximumByteCount else { throw TimeZoneFault.malformed }
            return count
        }
        universals = try count()
        standards = try count()
        leaps = try count()
        times = try count()
        kinds = try count()
        characters = try count()
    }

    func byteCount(ofTime width: Int) -> Int {
        times * (width + 1) + kinds * 6 + characters + leaps * (width + 4) + standards + universals
    }

    /// What follows the kinds, in the second half.
    var restByteCount: Int { characters + leaps * 12 + standards + universals }
}
