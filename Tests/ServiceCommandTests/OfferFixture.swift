import Bolt12
import ServiceSetup
import LightningCoding
import LightningCrypto
import Platform
import TemporaryFolders
@testable import ServiceCommand

/// A suite for the offers of alice.
protocol OfferFixture: CommandFixture {}

extension OfferFixture {
    func addAlice() async throws {
        try await run(AccountAdd.self, "alice", "--description", "Pay Alice")
    }

    /// An offer of another issuer, with its key in a file.
    func foreign(key: UInt8 = 7, file: String = "issuer.key") throws -> (offer: Offer, keyFile: String) {
        let key = try SecretKey([UInt8](repeating: key, count: 32))
        var fields = OfferFields()
        fields.chains = [ChainHash(.regtest)]
        fields.description = "Made elsewhere"
        fields.amount = 5_000
        fields.issuerID = key.publicKey
        let path = temporary.path + "/" + file
        try PrivateFile(path: path).create(SecretKeyText.bytes(of: key))
        return (try Offer(fields), path)
    }

    func request(_ offer: Offer, _ metadata: UInt8 = 1) throws -> [UInt8] {
        let draft = InvoiceRequestDraft(
            for: offer, metadata: [UInt8](repeating: metadata, count: 16), chain: ChainHash(.regtest))
        return try draft.signed(by: SecretKey([UInt8](repeating: 3, count: 32)), auxiliaryRandom: nil).stream.bytes
    }
}

/// An introduction node for paths.
let introductionNode = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
