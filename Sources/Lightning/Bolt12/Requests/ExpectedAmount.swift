public import LightningCoding

/// Converts an amount in another currency: `amount` in its smallest unit (cents of USD), `currency` by its ISO 4217
/// code. Nil for a currency that cannot be converted now.
public typealias CurrencyConverter = @Sendable (_ amount: UInt64, _ currency: String) -> Millisatoshi?

extension OfferFields {
    /// Throws the rule of `offer_quantity_max` that a quantity violates.
    func check(quantity: UInt64?) throws(InvoiceRequestFault) {
        switch (quantityMax, quantity) {
        case (nil, nil): break
        case (nil, _?): throw .unexpectedQuantity
        case (_?, nil): throw .missingQuantity
        case (let maximum?, let quantity?):
            // For an offer without a limit only the writer's rules forbid zero, not the reader's.
            guard quantity > 0 else { throw .quantityNotPositive }
            guard maximum == 0 || quantity <= maximum else { throw .quantityTooLarge(maximum: maximum) }
        }
    }

    /// The *expected amount* (BOLT 12, "Requirements for Invoice Requests"): converted first, then times the quantity.
    /// Nil for an offer of any amount. Throws `unsupportedCurrency` or `amountOverflow`.
    public func expectedAmount(
        quantity: UInt64?, converter: CurrencyConverter?
    ) throws(InvoiceRequestFault) -> Millisatoshi? {
        guard let amount else { return nil }
        let one = try inMillisatoshi(amount, converter)
        guard let all = try? one.multiplied(by: quantity ?? 1), all <= .maximum else { throw .amountOverflow }
        return all
    }

    private func inMillisatoshi(
        _ amount: UInt64, _ converter: CurrencyConverter?
    ) throws(InvoiceRequestFault) -> Millisatoshi {
        guard let currency else { return Millisatoshi(amount) }
        guard let converted = converter?(amount, currency) else { throw .unsupportedCurrency(currency) }
        return converted
    }
}
