/// Standard and daylight saving time by a rule, as in the variable TZ: `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX.1-2024, 8.3).
struct DaylightRule: Hashable, Sendable {
    private let standard: Int64
    private let daylight: Daylight?

    private struct Daylight: Hashable, Sendable {
        let offset: Int64
        let start: Turn
        let end: Turn
    }

    /// Two days, in seconds: more than any place is from UTC.
    static let largestOffset: Int64 = 2 * 86_400

    /// Reads the last line of a time zone; nil when it is empty.
    init?(footer: some Collection<UInt8>) throws(TimeZoneFault) {
        let bytes = Array(footer)
        guard bytes.count >= 2, bytes.first == 0x0A, bytes.last == 0x0A else { throw .malformed }
        guard bytes.count > 2 else { return nil }
        var scanner = RuleScanner(bytes.dropFirst().dropLast())
        try scanner.name()
        standard = -(try scanner.time())
        if scanner.isAtEnd {
            daylight = nil
            return
        }
        try scanner.name()
        let offset = scanner.peek == UInt8(ascii: ",") ? standard + 3600 : -(try scanner.time())
        daylight = Daylight(offset: offset, start: try Turn(&scanner), end: try Turn(&scanner))
        guard scanner.isAtEnd else { throw .malformed }
    }

    /// How many seconds are added to UTC, at a moment in seconds since 1970.
    func offset(at moment: Int64) -> Int64 {
        guard let daylight else { return standard }
        let year = CivilDate(day: (moment + standard).floorDivided(by: 86_400)).year
        let start = daylight.start.second(of: year) - standard
        let end = daylight.end.second(of: year) - daylight.offset
        let isDaylight = start < end ? (start..<end).contains(moment) : !(end..<start).contains(moment)
        return isDaylight ? daylight.offset : standard
    }
}

/// When the clock is changed in each year, in local time before the change.
private struct Turn: Hashable, Sendable {
    private enum Day: Hashable, Sendable {
        /// The nth weekday of a month, from 1; 5 is the last. Sunday is 0.
        case weekday(month: Int64, week: Int64, day: Int64)
        /// A day of the year from 1, never 29 February.
        case withoutLeapDay(Int64)
        /// A day of the year from 0.
        case ofYear(Int64)
    }

    private let day: Day
    private let time: Int64

    init(_ scanner: inout RuleScanner) throws(TimeZoneFault) {
        try scanner.skip(",")
        if scanner.take("M") {
            let month = try scanner.number(1...12)
            try scanner.skip(".")
            let week = try scanner.number(1...5)
            try scanner.skip(".")
            day = .weekday(month: month, week: week, day: try scanner.number(0...6))
        } else if scanner.take("J") {
            day = .withoutLeapDay(try scanner.number(1...365))
        } else {
            day = .ofYear(try scanner.number(0...365))
        }
        time = scanner.take("/") ? try scanner.time() : 7200
    }

    /// In seconds since 1970, as if the place were at UTC.
    func second(of year: Int64) -> Int64 {
        let newYear = CivilDate(year: year, month: 1, day: 1).dayNumber
        let number =
            switch day {
            case .weekday(let month, let week, let day): Self.weekday(day, week, of: month, in: year)
            case .withoutLeapDay(let day): newYear + day - 1 + (day > 59 && CivilDate.isLeap(year) ? 1 : 0)
            case .ofYear(let day): newYear + day
            }
        return number * 86_400 + time
    }

    private static func weekday(_ day: Int64, _ week: Int64, of month: Int64, in year: Int64) -> Int64 {
        let first = CivilDate(year: year, month: month, day: 1).dayNumber
        let next =
            month == 12 ? CivilDate(year: year + 1, month: 1, day: 1) : CivilDate(year: year, month: month + 1, day: 1)
        // 1 January 1970 was a Thursday.
        let ahead = (day - (first + 4)).modulo(7)
        let found = first + ahead + (week - 1) * 7
        return found < next.dayNumber ? found : found - 7
    }
}

/// Reads a rule character by character.
private struct RuleScanner {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: some Collection<UInt8>) { rest = ArraySlice(bytes) }

    var isAtEnd: Bool { rest.isEmpty }
    var peek: UInt8? { rest.first }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func skip(_ character: Unicode.Scalar) throws(TimeZoneFault) {
        guard take(character) else { throw .malformed }
    }

    /// An abbreviation: letters, or anything between angle brackets.
    mutating func name() throws(TimeZoneFault) {
        let start = rest.count
        if take("<") {
            rest = rest.drop { $0 != UInt8(ascii: ">") }
            try skip(">")
        } else {
            rest = rest.drop { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
        }
        guard start - rest.count >= 3 else { throw .malformed }
    }

    mutating func number(_ range: ClosedRange<Int64>) throws(TimeZoneFault) -> Int64 {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard (1...3).contains(digits.count), let number = Int64(String(decoding: digits, as: UTF8.self)),
            range.contains(number)
        else { throw .malformed }
        rest = rest.dropFirst(digits.count)
        return number
    }

    /// `[+-]hh[:mm[:ss]]`, in seconds; up to a week.
    mutating func time() throws(TimeZoneFault) -> Int64 {
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        var seconds = try number(0...167) * 3600
        if take(":") { seconds += try number(0...59) * 60 }
        if take(":") { seconds += try number(0...59) }
        return isNegative ? -seconds : seconds
    }
}
