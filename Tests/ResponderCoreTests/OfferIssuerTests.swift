import BlindedPaths
import Bolt12
import LightningCoding
import LightningCrypto
@testable import ResponderCore
import Testing

@Suite("The issuer of offers", .timeLimit(.minutes(5)))
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

    @Test("An offer contains its terms, and names the chain only when it is not bitcoin")
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

    @Test("The derived key of an offer is its issuer id")
    func issuerKey() throws {
        let offer = try issue(terms())
        #expect(issuer.signingKey(of: offer)?.publicKey == offer.issuerID)
        #expect(offer.issuerID != nil)
    }

    @Test("A seed has 32 bytes", arguments: [0, 31, 33])
    func seedLength(count: Int) {
        #expect(throws: CryptoFault.invalidLength(expected: 32, found: count)) {
            try OfferSeed(SecretBytes(Array(repeating: 5, count: count)))
        }
    }

    @Test("Two offers have different keys")
    func keysDiffer() throws {
        let one = try issue(terms())
        let other = try issuer.issue(terms(), on: .regtest) { count throws(CryptoFault) in
            Array(repeating: 10, count: count)
        }
        #expect(one.issuerID != other.issuerID)
    }

    @Test("Without an issuer id, the last blinded id of the path signs")
    func pathKey() throws {
        let offer = try issue(terms(way: .introduction(introduction, withIssuerID: false)))
        let path = try #require(offer.paths?.first)
        #expect(offer.issuerID == nil)
        #expect(path.introductionNode == .node(introduction))
        #expect(issuer.signingKey(of: offer)?.publicKey == path.hops.last?.blindedNodeID)
    }

    @Test("The path leads to our key, and the path id is 32 bytes")
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
        "Each introduction node gets its own path, whose path id identifies offer and index", arguments: [1, 2, 8])
    func severalPaths(count: UInt8) throws {
        let keys = try (0..<count).map { try SecretKey(Array(repeating: 0x30 + $0, count: 32)) }
        let offer = try issue(terms(way: .introductions(keys.map(\.publicKey), withIssuerID: false)))
        let paths = try #require(offer.paths)
        #expect(paths.map(\.introductionNode) == keys.map { .node($0.publicKey) })
        #expect(Set(paths.map(\.firstPathKey)).count == Int(count))
        for (index, key) in keys.enumerated() {
            let pathID = try #require(try pathID(at: paths[index], from: key))
            let path = try #require(issuer.path(of: pathID))
            #expect(path.index == index)
            #expect(issuer.isPath(path, of: offer))
            #expect(
                issuer.signingKey(of: offer, pathIndex: index)?.publicKey == paths[index].hops.last?.blindedNodeID)
        }
        #expect(issuer.signingKey(of: offer, pathIndex: Int(count)) == nil)
    }

    @Test("A path with ourselves as introduction node has only our hop")
    func introducedByUs() throws {
        let offer = try issue(terms(way: .introduction(nodeKey.publicKey, withIssuerID: false)))
        let path = try #require(offer.paths?.first)
        #expect(path.hops.count == 1)
        #expect(issuer.signingKey(of: offer)?.publicKey == path.hops[0].blindedNodeID)
        let secret = try HopSecret(pathKey: path.firstPathKey, nodeKey: nodeKey)
        let pathID = try #require(try secret.open(path.hops[0].encryptedRecipientData).pathID)
        #expect(issuer.path(of: pathID)?.index == 0)
    }

    @Test("A path id with one bit changed, shorter, longer, or of another seed, is not ours")
    func strangePathIDs() throws {
        let offer = try issue(terms(way: .introduction(introduction, withIssuerID: true)))
        let key = try SecretKey(Array(repeating: 7, count: 32))
        let introduced = try #require(offer.paths?.first)
        let good = try #require(try pathID(at: introduced, from: key)).copiedBytes
        #expect(issuer.path(of: SecretBytes(good)) != nil)
        for place in good.indices {
            var bytes = good
            bytes[place] ^= 1
            #expect(issuer.path(of: SecretBytes(bytes)) == nil)
        }
        for bytes in [[], good.dropLast(), good + [0]] { #expect(issuer.path(of: SecretBytes(bytes)) == nil) }
        let other = OfferIssuer(seed: try OfferSeed(SecretBytes(Array(repeating: 8, count: 32))), nodeKey: nodeKey)
        #expect(other.path(of: SecretBytes(good)) == nil)
    }

    @Test("The path of one offer does not belong to another")
    func pathOfAnotherOffer() throws {
        let one = try issue(terms(way: .introduction(introduction, withIssuerID: true)))
        let other = try issuer.issue(terms(way: .introduction(introduction, withIssuerID: true)), on: .regtest) {
            count throws(CryptoFault) in Array(repeating: 10, count: count)
        }
        let key = try SecretKey(Array(repeating: 7, count: 32))
        let introduced = try #require(one.paths?.first)
        let path = try #require(try pathID(at: introduced, from: key).flatMap(issuer.path))
        #expect(issuer.isPath(path, of: one))
        #expect(!issuer.isPath(path, of: other))
    }

    @Test("An offer with too many paths, or none, is not created")
    func numberOfPaths() throws {
        let many = Array(repeating: introduction, count: 9)
        #expect(throws: OfferRefusal.tooManyPaths) {
            try issue(terms(way: .introductions(many, withIssuerID: true)))
        }
        #expect(throws: OfferRefusal.path(.noHops)) { try issue(terms(way: .introductions([], withIssuerID: true))) }
    }

    /// The path id that we read at the end of a path of two hops.
    private func pathID(at path: BlindedPath, from introductionKey: SecretKey) throws -> SecretBytes? {
        let first = try HopSecret(pathKey: path.firstPathKey, nodeKey: introductionKey)
        let order = try first.open(path.hops[0].encryptedRecipientData)
        let second = try HopSecret(pathKey: first.nextPathKey(order), nodeKey: nodeKey)
        return try second.open(path.hops[1].encryptedRecipientData).pathID
    }

    @Test(
        "An offer with one modified field is not ours",
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

    @Test("An offer with another path, or an additional record, is not ours")
    func otherPath() throws {
        let offer = try issue(terms(way: .introduction(introduction, withIssuerID: true)))
        var fields = offer.fields
        let path = try #require(fields.paths?.first)
        fields.paths = [path, path]
        #expect(issuer.signingKey(of: try Offer(fields)) == nil)
        let more = try Offer(offer.fields, furtherRecords: [TLVRecord(type: 1_000_000_001, value: [1])])
        #expect(issuer.signingKey(of: more) == nil)
    }

    @Test("An offer of another seed, with the same terms, is not ours")
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

    @Test("An imported offer's invoices are signed with its imported key")
    func imported() throws {
        let key = try SecretKey(Array(repeating: 0x41, count: 32))
        var fields = OfferFields()
        fields.issuerID = key.publicKey
        let offer = try Offer(fields)
        #expect(issuer.signingKey(of: offer) == nil)
        let importing = OfferIssuer(seed: seed, nodeKey: nodeKey, importedKeys: ImportedKeys([offer.id: key]))
        #expect(importing.signingKey(of: offer) == key)
    }

    @Test("An offer whose terms break a rule of BOLT 12 is not created")
    func brokenTerms() throws {
        #expect(throws: OfferRefusal.offer(.amountWithoutDescription)) {
            try issue(OfferTerms(amount: Millisatoshi(1)))
        }
        #expect(throws: OfferRefusal.offer(.amountNotPositive)) {
            try issue(OfferTerms(description: "Tea", amount: .zero))
        }
    }
}
