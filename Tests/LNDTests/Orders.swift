import LightningCoding
import LightningCrypto
import ResponderModel

extension InvoiceOrder {
    /// An order over 21,001 msat that expires after ten minutes.
    static func sample(
        _ label: String = "5f5e1000a1b2c3d4e5f60718293a4b5c", _ amount: Millisatoshi = Millisatoshi(21_001),
        _ description: Description = .hashed(#"[["text/plain","Pay to alice"]]"#), preimage: Preimage? = nil
    ) -> InvoiceOrder {
        InvoiceOrder(amount: amount, description: description, expiry: 600, label: label, preimage: preimage)
    }
}
