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

    /// The difference. Throws `overflow` below zero.
    public func subtracting(_ other: Millisatoshi) throws(AmountFault) -> Millisatoshi {
        try Self.checked(msat.subtractingReportingOverflow(other.msat))
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
