import BlindedPaths
import Bolt12
import Foundation
import LightningCoding
import LightningCrypto
import Platform
import LoopbackServer
import Testing

/// The issuer of an offer, with correct and wrong invoices.
enum Issuer {
    static func key(_ byte: UInt8 = 0x41) throws -> SecretKey {
        try SecretKey([UInt8](repeating: byte, count: 32))
    }

    /// An offer of any amount on bitcoin and regtest, modified by `change`.
    static func offer(_ change: (inout OfferFields) throws -> Void = { _ in }) throws -> Offer {
        var fields = OfferFields()
        fields.description = "tea"
        fields.chains = [.bitcoin, ChainHash(.regtest)]
        fields.issuerID = try key().publicKey
        try change(&fields)
        return try Offer(fields)
    }

    static func request(
        for offer: Offer, amount: UInt64? = 21_000, metadata: UInt8 = 1, by payer: UInt8 = 0x42
    ) throws -> InvoiceRequest {
        try InvoiceRequestDraft(
            for: offer, metadata: [UInt8](repeating: metadata, count: 16), amount: amount.map { Millisatoshi($0) }
        ).signed(by: key(payer), auxiliaryRandom: nil)
    }

    /// The correct answer.
    static func invoice(for request: InvoiceRequest, at now: UnixTime = .now()) throws -> Bolt12Invoice {
        guard let offer = try request.mirroredOffer() else { throw InvoiceRequestFault.offerMismatch }
        let accepted = try request.accepted(
            for: offer, RequestReception(arrival: .forwarder, now: now, chains: Set(offer.acceptedChains)))
        let hop = try BlindedPath.Hop(blindedNodeID: key(0x45).publicKey, encryptedRecipientData: [0xaa, 0xbb])
        let path = try PaymentPath(
            path: BlindedPath(
                introductionNode: .node(key(0x43).publicKey), firstPathKey: key(0x44).publicKey, hops: [hop]),
            payinfo: BlindedPayinfo(
                feeBase: 1, feeProportionalMillionths: 2, cltvExpiryDelta: 18, htlcMinimum: Millisatoshi(1),
                htlcMaximum: Millisatoshi(1_000_000_000)))
        return try InvoiceDraft(
            answering: accepted, createdAt: now, paymentHash: PaymentHash([UInt8](repeating: 7, count: 32)),
            paths: [path]
        ).signed(by: key(), auxiliaryRandom: nil)
    }
}

/// What is wrong with an invoice, and the rule that it breaks. Everything else is correct, and re-signed.
enum Wrong: String, CaseIterable, Sendable {
    case amount = "amount-is-not-requested"
    case otherPayer = "request-mismatch"
    case otherKey = "invalid-signature"
    case otherNode = "node-is-not-issuer"
    case unsigned = "missing-signature"
    case chain = "unsupported-chain"
    case expired = "expired"

    /// The failing check.
    var check: String {
        switch self {
        case .amount: "amount"
        case .otherPayer: "request"
        case .otherKey, .unsigned: "signature"
        case .otherNode: "node"
        case .chain: "chain"
        case .expired: "expiry"
        }
    }

    func invoice(for request: InvoiceRequest) throws -> String {
        let right = try Issuer.invoice(for: request).stream
        switch self {
        case .amount: return try right.replacing(170, by: [0x52, 0x09]).signed()
        case .otherPayer:
            guard let offer = try request.mirroredOffer() else { throw InvoiceRequestFault.offerMismatch }
            return try Issuer.invoice(for: Issuer.request(for: offer, by: 0x46)).text
        case .otherKey: return try right.signed(by: 0x46)
        case .otherNode: return try right.replacing(176, by: Issuer.key(0x46).publicKey.bytes).signed(by: 0x46)
        case .unsigned: return Bolt12Text.encode(try right.replacing(240, by: nil).bytes, as: .invoice)
        case .chain: return try right.replacing(80, by: [UInt8](repeating: 0xee, count: 32)).signed()
        case .expired: return try Issuer.invoice(for: request, at: UnixTime(UnixTime.now().seconds - 7300)).text
        }
    }
}

extension TLVStream {
    func replacing(_ type: UInt64, by value: [UInt8]?) throws -> TLVStream {
        let others = records.filter { $0.type != type }
        let replacement = value.map { [TLVRecord(type: type, value: $0)] } ?? []
        return try TLVStream((others + replacement).sorted { $0.type < $1.type })
    }

    /// The text of an invoice of these records, signed by the issuer or another key (BOLT 12, "Signature Calculation").
    func signed(by signer: UInt8 = 0x41) throws -> String {
        let unsigned = records.filter { $0.type != 240 }
        var hash = SHA256(taggedWith: "lightninginvoicesignature")
        hash.update(MerkleTree(unsigned).root ?? [])
        let signature = try Issuer.key(signer).schnorrSignature(of: hash.finalized(), auxiliaryRandom: nil)
        let stream = try TLVStream(unsigned + [TLVRecord(type: 240, value: signature.bytes)])
        return Bolt12Text.encode(stream.bytes, as: .invoice)
    }
}

/// A webhook on loopback that accepts `invoice.request`.
final class Webhook: Sendable {
    private let server: LoopbackServer
    private let received: Guarded<[LoopbackRequest]>

    var url: String { "http://127.0.0.1:\(server.port)/webhook/alice/s3cret" }
    var requests: [LoopbackRequest] { received.withLock { $0 } }

    init(_ answer: @escaping @Sendable (InvoiceRequest) throws -> LoopbackAnswer) throws {
        let received = Guarded<[LoopbackRequest]>([])
        self.received = received
        server = try LoopbackServer { request in
            received.withLock { $0.append(request) }
            do {
                let json = try JSONValue(parsing: request.body)
                let bytes = try Hexadecimal.decode(json["data"]?["invoiceRequest"]?.string ?? "")
                return try answer(InvoiceRequest(bytes: bytes))
            } catch {
                return LoopbackAnswer(status: 500, "\(error)", type: "text/plain")
            }
        }
    }

    /// Answers with the text of an invoice.
    convenience init(
        status: Int = 200, invoice: @escaping @Sendable (InvoiceRequest) throws -> String
    ) throws {
        try self.init { request in .json(["invoice": .string(try invoice(request))], status: status) }
    }
}

/// Cases of this repository's vectors for BOLT 12.
struct Bolt12Case: Sendable, CustomTestStringConvertible {
    let json: JSONValue

    var testDescription: String { json["name"]?.string ?? "" }
    var reject: String? { json["reject"]?.string }

    func input(_ name: String) -> String { json["input"]?[name]?.string ?? "" }

    static func all(_ subject: String) -> [Bolt12Case] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let bytes = try? Data(contentsOf: root.appending(path: "Vectors/bolt-12/\(subject).json"))
        let file = bytes.flatMap { try? JSONValue(parsing: Array($0)) }
        return file?["cases"]?.array?.map(Bolt12Case.init) ?? []
    }
}
