import ArgumentParser
import Bolt12
import LightningCoding
import LightningCrypto

struct InvoiceRequestOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The total amount, with its unit; required if the offer has none.", valueName: "amount"))
    var amount: String?

    @Option(help: ArgumentHelp("A note to the payee.", valueName: "text"))
    var note: String?

    @Option(help: ArgumentHelp("The quantity, if the offer requires one.", valueName: "count"))
    var quantity: UInt64?

    @Option(
        help: ArgumentHelp("The name through which the offer was found (BIP-353).", valueName: "name@domain"),
        transform: Self.name)
    var bip353: BIP353Name?

    @Option(
        name: .customLong("network"),
        help: ArgumentHelp(
            "The network to pay on, one of the offer's: bitcoin, testnet, signet or regtest.", valueName: "name"),
        transform: Network.named)
    var chosenNetwork: Network?

    var areGiven: Bool {
        amount != nil || note != nil || quantity != nil || bip353 != nil || chosenNetwork != nil
    }

    func request(
        for offer: Offer, signedBy key: SecretKey, at now: UnixTime
    ) throws(ToolFault) -> InvoiceRequest {
        guard !offer.isExpired(at: now) else { throw .terms(.offerExpired) }
        let amount = try amount.map { text throws(ToolFault) in try Millisatoshi(argument: text) }
        let (metadata, auxiliaryRandom) = try rethrowing(
            (SystemRandom.bytes(16), SystemRandom.bytes(32)), as: ToolFault.noRandomness)
        return try rethrowing(
            InvoiceRequestDraft(
                for: offer, metadata: metadata, chain: try chain(for: offer), amount: amount, quantity: quantity,
                payerNote: note, bip353Name: bip353
            ).signed(by: key, auxiliaryRandom: auxiliaryRandom), as: ToolFault.terms)
    }

    /// The chain of the chosen network; else bitcoin, or the first of the offer's chains that is known here.
    private func chain(for offer: Offer) throws(InvoiceRequestFault) -> ChainHash {
        if let chosenNetwork { return ChainHash(chosenNetwork) }
        let known = offer.acceptedChains.filter { $0.network != nil }
        guard let chain = known.contains(.bitcoin) ? .bitcoin : known.first else { throw .unsupportedChain }
        return chain
    }

    private static func name(_ text: String) throws -> BIP353Name {
        try rethrowing(
            BIP353Name(text), as: ValidationError("--bip353 takes NAME@DOMAIN, of 0-9 a-z A-Z - _ . only."))
    }
}
