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

    /// Parses a number with its unit: `21sat`, `21 sat`, `1500msat`, `0.001btc`, in any case. Exact or refused.
    public init(text: some StringProtocol) throws(AmountFault) {
        let characters = Array(text.utf8)
        guard !characters.isEmpty else { throw .empty }
        let numberEnd = characters.firstIndex { Self.isLetter($0) } ?? characters.count
        let number = characters[..<numberEnd].reversed().drop { $0 == UInt8(ascii: " ") }.reversed()
        guard numberEnd < characters.count else {
            throw Self.isNumber(Array(number)) ? .missingUnit : .notANumber
        }
        let name = String(decoding: characters[numberEnd...], as: UTF8.self).lowercased()
        guard let unit = Unit(rawValue: name) else { throw .unknownUnit }
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
