/// An amount in thousandths of a satoshi (msat). Never negative; arithmetic is checked.
public struct Millisatoshi: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The amount in msat.
    public let msat: UInt64

    /// An amount in msat.
    public init(_ msat: UInt64) {
        self.msat = msat
    }

    /// An amount in whole satoshi. Throws `overflow`.
    public init(satoshi: UInt64) throws(AmountFault) {
        self = try Millisatoshi(satoshi).multiplied(by: 1000)
    }

    /// Zero.
    public static let zero = Millisatoshi(0)
    /// The supply limit: 21 million BTC.
    public static let maximum = Millisatoshi(2_100_000_000_000_000_000)

    /// Compares amounts.
    public static func < (left: Self, right: Self) -> Bool {
        left.msat < right.msat
    }

    /// The sum. Throws `overflow` beyond 2^64-1 msat.
    public func adding(_ other: Millisatoshi) throws(AmountFault) -> Millisatoshi {
        try Self.checked(msat.addingReportingOverflow(other.msat))
    }

    /// The product. Throws `overflow` beyond 2^64-1 msat.
    public func multiplied(by factor: UInt64) throws(AmountFault) -> Millisatoshi {
        try Self.checked(msat.multipliedReportingOverflow(by: factor))
    }

    /// Whether it is a whole number of satoshi.
    public var isWholeSatoshi: Bool {
        msat.isMultiple(of: 1000)
    }

    /// Rounded down to whole satoshi.
    public var roundedDownToSatoshi: Millisatoshi {
        Millisatoshi(msat - msat % 1000)
    }

    /// Rounded up to whole satoshi, or to the largest representable amount of whole satoshi.
    public var roundedUpToSatoshi: Millisatoshi {
        let (sum, overflow) = msat.addingReportingOverflow(999)
        return Millisatoshi(overflow ? .max : sum).roundedDownToSatoshi
    }

    /// The amount in msat, with its unit: `21000 msat`.
    public var description: String {
        "\(msat) msat"
    }

    private static func checked(_ result: (partialValue: UInt64, overflow: Bool)) throws(AmountFault) -> Millisatoshi {
        guard !result.overflow else { throw .overflow }
        return Millisatoshi(result.partialValue)
    }
}

/// Why a text is not an amount, or a calculation has no result.
public enum AmountFault: Error, Hashable, Sendable {
    /// An empty text.
    case empty
    /// A number without a unit.
    case missingUnit
    /// A unit other than msat, sat and BTC.
    case unknownUnit
    /// Not digits with at most one decimal point between them.
    case notANumber
    /// More decimals than msat can represent.
    case notWholeMillisatoshi
    /// Outside 0 to 2^64-1 msat.
    case overflow
}

extension Millisatoshi {
    /// The number of decimal digits of msat in one unit.
    private enum Unit: String, CaseIterable {
        case msat
        case sat
        case btc

        var decimals: Int {
            switch self {
            case .msat: 0
            case .sat: 3
            case .btc: 11
            }
        }
    }

    /// Parses a number with its unit: `21sat`, `21 sats`, `1500msat`, `0.001btc`, in any case. Exact or refused.
    public init(text: some StringProtocol) throws(AmountFault) {
        let characters = Array(text.utf8)
        guard !characters.isEmpty else { throw .empty }
        let numberEnd = characters.firstIndex { Self.isLetter($0) } ?? characters.count
        let number = characters[..<numberEnd].reversed().drop { $0 == UInt8(ascii: " ") }.reversed()
        guard numberEnd < characters.count else {
            throw Self.isNumber(Array(number)) ? .missingUnit : .notANumber
        }
        let name = String(decoding: characters[numberEnd...], as: UTF8.self).lowercased()
        guard let unit = Unit(rawValue: name == "sats" ? "sat" : name) else { throw .unknownUnit }
        try self.init(number: Array(number), decimals: unit.decimals)
    }

    /// The shortest exact text with a unit: `21 sat`, `1500 msat`, and from a million sat in BTC if that is shorter.
    public var formatted: String {
        guard isWholeSatoshi else { return description }
        let inSatoshi = "\(msat / 1000) sat"
        guard msat >= 1_000_000_000 else { return inSatoshi }
        let inBitcoin = formattedInBitcoin
        return inBitcoin.utf8.count < inSatoshi.utf8.count ? inBitcoin : inSatoshi
    }

    private var formattedInBitcoin: String {
        let (whole, rest) = msat.quotientAndRemainder(dividingBy: 100_000_000_000)
        guard rest > 0 else { return "\(whole) BTC" }
        let digits = String(rest)
        var fraction = String(repeating: "0", count: Unit.btc.decimals - digits.utf8.count) + digits
        while fraction.utf8.last == UInt8(ascii: "0") { fraction.removeLast() }
        return "\(whole).\(fraction) BTC"
    }

    private init(number: [UInt8], decimals: Int) throws(AmountFault) {
        guard Self.isNumber(number) else { throw .notANumber }
        let parts = number.split(separator: UInt8(ascii: "."))
        var fraction = parts.dropFirst().first ?? []
        while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
        guard fraction.count <= decimals else { throw .notWholeMillisatoshi }
        let zeros = repeatElement(UInt8(ascii: "0"), count: decimals - fraction.count)
        var amount = Millisatoshi.zero
        for digit in parts[0] + fraction + zeros {
            amount = try amount.multiplied(by: 10).adding(Millisatoshi(UInt64(digit - UInt8(ascii: "0"))))
        }
        self = amount
    }

    /// Digits, optionally with one point between them.
    private static func isNumber(_ characters: [UInt8]) -> Bool {
        let parts = characters.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count <= 2
            && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isDigit) }
    }

    private static func isLetter(_ character: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(character | 0x20)
    }
}
