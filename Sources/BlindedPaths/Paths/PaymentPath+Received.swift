extension PaymentPath {
    /// A path and its payinfo as stated in an invoice.
    public init(path: BlindedPath, payinfo: BlindedPayinfo) {
        self.path = path
        self.payinfo = payinfo
    }
}
