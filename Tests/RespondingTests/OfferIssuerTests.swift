import BlindedPaths
import Bolt12
import LightningCoding
import LightningCrypto
import Responding
import Testing

@Suite("The issuer of offers")
struct OfferIssuerTests {
    let seed: OfferSeed
    let nodeKey: SecretKey
    let introduction: PublicKey
    let issuer: OfferIssuer

    init() throws {
        seed = try OfferSeed(SecretBytes(Array(repeating: 5, count: 32)))
        nodeKey = try SecretKey(Array(repeating: 6, count: 32))
        introduction = try SecretKey(Array(repeating: 7, count: 32)).publicKey
        issuer = OfferIssuer(seed: seed, nodeKey: nodeKey)
    }

    private func issue(_ terms: OfferTerms, on network: Network = .regtest) throws -> Offer {
        try issuer.issue(terms, on: network) { count throws(CryptoFault) in Array(repeating: 9, count: count) }
    }

    private func terms(way: OfferTerms.Way = .issuerID) -> OfferTerms {
        var terms = OfferTerms(description: "Tea", amount: Millisatoshi(21_000), way: way)
        terms.issuer = "alice@example.com"
        terms.quantityMax = 3
        terms.absoluteExpiry = UnixTime(1_800_000_000)
        return terms
    }

    @Test("An offer says what its terms say, and names the chain only when it is not bitcoin")
    func saysTheTerms() throws {
        let offer = try issue(terms())
        #expect(offer.amount == 21_000)
        #expect(offer.description == "Tea")
        #expect(offer.issuer == "alice@example.com")
        #expect(offer.quantityMax == 3)
        #expect(offer.absoluteExpiry == UnixTime(1_800_000_000))
        #expect(offer.chains == [ChainHash(.regtest)])
        #expect(try issue(terms(), on: .bitcoin).chains == nil)
    }

    @Test("The key of an offer is the one that the offer names")
    func issuerKey() throws {
        let offer = try issue(terms())
        #expect(issuer.signingKey(of: offer)?.publicKey == offer.issuerID)
        #expect(offer.issuerID != nil)
    }

    @Test("Two offers have two keys")
    func keysDiffer() throws {
        let one = try issue(terms())
        let other = try issuer.issue(terms(), on: .regtest) { count throws(CryptoFault) in
            Array(repeating: 10, count: count)
        }
        #expect(one.issuerID != other.issuerID)
    }

    @Test("Without an issuer id the last blinded id of the path signs")
    func pathKey() throws {
        let offer = try issue(terms(way: .introduction(introduction, withIssuerID: false)))
        let path = try #require(offer.paths?.first)
        #expect(offer.issuerID == nil)
        #expect(path.introductionNode == .node(introduction))
        #expect(issuer.signingKey(of: offer)?.publicKey == path.hops.last?.blindedNodeID)
    }

    @Test("The introduction leads to our key, and the path id is 32 bytes")
    func pathLeadsToUs() throws {
        let offer = try issue(terms(way: .introduction(introduction, withIssuerID: true)))
        let path = try #require(offer.paths?.first)
        let first = try HopSecret(
            pathKey: path.firstPathKey,
            nodeKey: SecretKey(Array(repeating: 7, count: 32))
        )
        let order = try first.open(path.hops[0].encryptedRecipientData)
        #expect(order.nextNodeID == nodeKey.publicKey)
        let second = try HopSecret(pathKey: first.nextPathKey(order), nodeKey: nodeKey)
        #expect(try second.open(path.hops[1].encryptedRecipientData).pathID?.count == 32)
    }

    @Test(
        "An offer with one field changed is not ours",
        arguments: [
            { $0.amount = 20_999 }, { $0.amount = nil }, { $0.description = "tea" }, { $0.issuer = nil },
            { $0.quantityMax = 4 }, { $0.absoluteExpiry = UnixTime(1_800_000_001) }, { $0.chains = nil },
            { $0.metadata?[0] ^= 1 }, { $0.metadata?[31] ^= 1 }, { $0.metadata = nil },
            { $0.metadata?.append(0) },
        ] as [@Sendable (inout OfferFields) -> Void]
    )
    func changed(_ change: @Sendable (inout OfferFields) -> Void) throws {
        var fields = try issue(terms()).fields
        change(&fields)
        #expect(issuer.signingKey(of: try Offer(fields)) == nil)
    }

    @Test("An offer with another path, or with a further record, is not ours")
    func otherPath() throws {
        let offer = try issue(terms(way: .introduction(introduction, withIssuerID: true)))
        var fields = offer.fields
        let path = try #require(fields.paths?.first)
        fields.paths = [path, path]
        #expect(issuer.signingKey(of: try Offer(fields)) == nil)
        let more = try Offer(offer.fields, furtherRecords: [TLVRecord(type: 1_000_000_001, value: [1])])
        #expect(issuer.signingKey(of: more) == nil)
    }

    @Test("An offer of another seed, with our text, is not ours")
    func otherSeed() throws {
        let other = OfferIssuer(
            seed: try OfferSeed(SecretBytes(Array(repeating: 8, count: 32))),
            nodeKey: nodeKey
        )
        let offer = try other.issue(terms(), on: .regtest) { count throws(CryptoFault) in
            Array(repeating: 9, count: count)
        }
        #expect(issuer.signingKey(of: offer) == nil)
    }

    @Test("An imported offer is signed for by its imported key")
    func imported() throws {
        let key = try SecretKey(Array(repeating: 0x41, count: 32))
        var fields = OfferFields()
        fields.issuerID = key.publicKey
        let offer = try Offer(fields)
        #expect(issuer.signingKey(of: offer) == nil)
        let importing = OfferIssuer(seed: seed, nodeKey: nodeKey, importedKeys: ImportedKeys([offer.id: key]))
        #expect(importing.signingKey(of: offer) == key)
    }

    @Test("Terms that break a rule of BOLT 12 make no offer")
    func brokenTerms() throws {
        #expect(throws: OfferIssueFault.offer(.amountWithoutDescription)) {
            try issue(OfferTerms(amount: Millisatoshi(1)))
        }
        #expect(throws: OfferIssueFault.offer(.amountNotPositive)) {
            try issue(OfferTerms(description: "Tea", amount: .zero))
        }
    }
}
