import LightningCoding

/// `ln`, the network's prefix, the amount (BOLT 11, "Human-Readable Part").
struct HumanReadablePart {
    let network: Network
    let amount: Millisatoshi?

    /// msat per unit, largest first; pico is separate, because its unit is a tenth of a millisatoshi.
    private static let multipliers: [(letter: String, msat: UInt64)] = [
        ("", 100_000_000_000), ("m", 100_000_000), ("u", 100_000), ("n", 100),
    ]

    /// The shortest form.
    var text: String {
        "ln" + network.bolt11Prefix + (amount.map(Self.encoding) ?? "")
    }

    private static func encoding(of amount: Millisatoshi) -> String {
        for (letter, unit) in multipliers where amount.msat.isMultiple(of: unit) {
            return "\(amount.msat / unit)\(letter)"
        }
        return "\(amount.msat)0p"
    }
}

extension HumanReadablePart {
    /// `text` must be lower case. The amount begins at the first digit: no prefix contains one.
    init(parsing text: String) throws(Bolt11Fault) {
        let prefix = text.prefix { !$0.isDecimalDigit }
        guard let network = Network.allCases.first(where: { "ln" + $0.bolt11Prefix == prefix }) else {
            throw .unknownPrefix
        }
        self.network = network
        let amount = text.dropFirst(prefix.count)
        self.amount = amount.isEmpty ? nil : try Self.amount(spelled: amount)
    }

    private static func amount(spelled text: Substring) throws(Bolt11Fault) -> Millisatoshi {
        let digits = text.prefix(while: \.isDecimalDigit)
        let letter = text.dropFirst(digits.count)
        guard letter.count <= 1 else { throw .amountNotDecimal }
        guard digits != "0" else { throw .amountNotPositive }
        guard digits.first != "0" else { throw .amountLeadingZero }
        if letter == "p" {
            guard digits.last == "0" else { throw .amountBelowMillisatoshi }
            return try amount(digits.dropLast(), times: 1)
        }
        guard let unit = multipliers.first(where: { $0.letter == letter })?.msat else { throw .unknownMultiplier }
        return try amount(digits, times: unit)
    }

    private static func amount(_ digits: Substring, times unit: UInt64) throws(Bolt11Fault) -> Millisatoshi {
        guard let count = UInt64(digits) else { throw .amountTooLarge }
        let (msat, overflow) = count.multipliedReportingOverflow(by: unit)
        guard !overflow, msat <= Millisatoshi.maximum.msat else { throw .amountTooLarge }
        return Millisatoshi(msat)
    }
}

extension Character {
    fileprivate var isDecimalDigit: Bool { "0"..."9" ~= self }
}
