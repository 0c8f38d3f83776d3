import LightningCoding

extension Millisatoshi {
    /// Parses `21sat`, `1500msat` or `0.001btc`.
    init(argument: String) throws(ToolFault) {
        do throws(AmountFault) {
            try self.init(text: argument)
        } catch {
            throw .amount(error, argument)
        }
    }
}
