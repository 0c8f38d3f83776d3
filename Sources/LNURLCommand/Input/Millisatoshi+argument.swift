import LightningCoding

extension Millisatoshi {
    /// Parses `21sat`, `1500msat` or `0.001btc`.
    init(argument: String) throws(ToolFault) {
        self = try rethrowing(Millisatoshi(text: argument)) { ToolFault.amount($0, argument) }
    }
}
