import Bolt11
import Bolt12
import LightningCoding
import LightningCrypto
import OnionMessages

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

struct Measurement {
    let name: String
    /// How many times it runs in one round; enough to make the clock's own cost negligible.
    let calls: Int
    let operation: () throws -> Void
}

extension [Measurement] {
    /// Nanoseconds of processor time per call, for each measurement and round.
    ///
    /// The measurements are interleaved, so that a slow moment of the machine affects all alike.
    func timed(rounds: Int) throws -> [(name: String, nanoseconds: [UInt64])] {
        var results = map { (name: $0.name, nanoseconds: [UInt64]()) }
        for measurement in self { try measurement.operation() }
        for _ in 0..<rounds {
            for (index, measurement) in enumerated() {
                results[index].nanoseconds.append(try measurement.nanosecondsOfOneCall())
            }
        }
        return results
    }
}

extension Measurement {
    fileprivate func nanosecondsOfOneCall() throws -> UInt64 {
        // In microseconds, as POSIX has it.
        let start = clock()
        for _ in 0..<calls { try operation() }
        return (Duration.microseconds(clock() - start) / calls).nanoseconds
    }
}

extension Duration {
    var nanoseconds: UInt64 {
        UInt64(self / .nanoseconds(1))
    }
}

extension Measurement {
    /// Signing and parsing a BOLT11 invoice, each compared with the one curve operation that it requires.
    static func invoices() throws -> [Measurement] {
        let keyBytes = SHA256.hash(Array("a key for measuring".utf8))
        let key = try SecretKey(keyBytes)
        let preimage = try Preimage(SHA256.hash(Array("a preimage for measuring".utf8)))
        let draft = Bolt11Draft(
            network: .regtest,
            amount: Millisatoshi(21_000),
            timestamp: UnixTime(1_790_000_000),
            paymentHash: preimage.paymentHash,
            paymentSecret: try PaymentSecret(keyBytes),
            description: .hash(SHA256.hash(Array("metadata".utf8)))
        )
        let text = try draft.signed(by: key).text
        let bare = BareCurve(key: keyBytes, hash: preimage.paymentHash.bytes)
        let signature = bare.signRecoverable()
        return [
            Measurement(name: "bare sign", calls: 500) { _ = bare.signRecoverable() },
            Measurement(name: "BOLT11 sign", calls: 500) { _ = try draft.signed(by: key) },
            Measurement(name: "bare recover", calls: 500) { _ = bare.recover(signature) },
            Measurement(name: "BOLT11 decode", calls: 500) { _ = try Bolt11Invoice(text) },
        ]
    }

    /// Parsing BOLT12 offers and requests, and answering them, compared with the curve operations that this requires.
    static func offers() throws -> [Measurement] {
        let payee = try OfferPayee()
        let offer = payee.offer.text
        let request = try RequestBatch(for: payee.offer).next().stream.bytes
        let bare = BareCurve(key: SHA256.hash(Array("a key for measuring".utf8)), hash: SHA256.hash(request))
        return [
            Measurement(name: "offer decode", calls: 500) { _ = try Offer(offer) },
            Measurement(name: "bare Schnorr verify", calls: 500) { _ = bare.verify() },
            Measurement(name: "invoice_request parse and verify", calls: 500) {
                try InvoiceRequest(bytes: request).checkSignature()
            },
            Measurement(name: "bare BOLT12 answer", calls: 500) {
                _ = bare.verify()
                _ = bare.blind()
                _ = bare.sign()
            },
            Measurement(name: "BOLT12 answer", calls: 500) { _ = try payee.invoice(answering: request) },
        ] + (try messages(bare))
    }

    /// The points parsed in a request: those of the offer's two-hop path, those of a one-hop reply path, and the
    /// issuer's key. The payer's key is counted with the signature.
    private static let pointsOfQuestion = 4 + 3 + 1

    /// Decoding and answering onion messages, compared with the curve operations that this requires.
    static func messages(_ bare: BareCurve) throws -> [Measurement] {
        let payee = try MessagePayee()
        let question = payee.question
        return [
            Measurement(name: "bare onion peel", calls: 500) {
                _ = bare.peel()
                _ = bare.read(points: 3)
            },
            Measurement(name: "onion peel", calls: 500) { try payee.peel(question) },
            Measurement(name: "bare onion answer", calls: 500) {
                _ = bare.peel()
                _ = bare.read(points: pointsOfQuestion)
                _ = bare.verify()
                _ = bare.blind()
                _ = bare.sign()
                // Our hop before the reply path, then two layers.
                _ = bare.blind()
                _ = bare.agree()
                _ = bare.agree()
            },
            Measurement(name: "onion answer", calls: 500) { _ = try payee.answer(question) },
        ]
    }

    /// The cost of the handshake with another node (BOLT 8).
    static func handshakes() throws -> [Measurement] {
        let keys = try (1...4).map { try SecretKey([UInt8](repeating: $0, count: 32)) }
        let responder = keys[1].publicKey
        return [
            Measurement(name: "BOLT 8 handshake, both sides", calls: 200) {
                var (caller, actOne) = try SecureChannel.initiate(to: responder, key: keys[0], ephemeral: keys[2])
                var called = SecureChannel.answer(key: keys[1], ephemeral: keys[3])
                guard case .send(let actTwo) = try called.receive(actOne),
                    case .established(_, let actThree) = try caller.receive(actTwo)
                else { return }
                _ = try called.receive(actThree)
            }
        ]
    }
}
