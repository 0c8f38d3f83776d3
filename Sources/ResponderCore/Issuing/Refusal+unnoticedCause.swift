public import Contracts

extension Refusal {
    /// The internal failure, unless it is reported by itself (`InvoiceMismatch`) and need not be reported again.
    public var unnoticedCause: String? {
        if case .unavailable(.inspection) = self { nil } else { cause }
    }
}

extension RequestRefusal {
    /// Likewise.
    public var unnoticedCause: String? {
        if case .unavailable(.inspection) = self { nil } else { cause }
    }
}
