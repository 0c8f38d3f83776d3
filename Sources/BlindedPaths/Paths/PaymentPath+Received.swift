extension PaymentPath {
    /// A path and its costs as an invoice states them.
    public init(path: BlindedPath, payinfo: BlindedPayinfo) {
        self.path = path
        self.payinfo = payinfo
    }
}
