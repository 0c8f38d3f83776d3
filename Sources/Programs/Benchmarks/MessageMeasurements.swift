/// Decoding and answering onion messages, compared with the curve operations that this requires.
enum MessageMeasurements {
    /// The points parsed in a request: those of the offer's two-hop path, those of a one-hop reply path, and the
    /// issuer's key. The payer's key is counted with the signature.
    private static let pointsOfQuestion = 4 + 3 + 1

    static func make(_ bare: BareAnswer) throws -> [Measurement] {
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
}
