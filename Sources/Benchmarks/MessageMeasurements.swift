/// Taking onion messages off the wire and answering them, beside the curve operations that this cannot do without.
enum MessageMeasurements {
    /// The points in a question that are read: those of the offer's path of two hops, those of a way back of one, and the
    /// issuer's key. The payer's is counted with his signature.
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
                // Our hop before the way back, then two layers.
                _ = bare.blind()
                _ = bare.agree()
                _ = bare.agree()
            },
            Measurement(name: "onion answer", calls: 500) { _ = try payee.answer(question) },
        ]
    }
}
