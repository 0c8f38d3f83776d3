import Platform

/// How many bytes the bodies may have that are being received, beyond the first ones of each, which are always taken: a
/// payer, a wallet or a device sends no more than these.
final class BodyBudget: Sendable {
    /// What strangers send.
    static let strangers = BodyBudget(bytes: 32 << 20)
    /// What operators and their nodes send.
    static let operators = BodyBudget(bytes: 8 << 20)
    /// How many bytes of each body do not count.
    static let free = 16 << 10

    private let limit: Int
    private let taken = Guarded(0)

    init(bytes limit: Int) {
        self.limit = limit
    }

    /// Takes bytes; false when there are not so many left.
    func take(_ count: Int) -> Bool {
        taken.withLock { taken in
            guard count <= limit - taken else { return false }
            taken += count
            return true
        }
    }

    /// Gives bytes back.
    func release(_ count: Int) { taken.withLock { $0 -= count } }
}
