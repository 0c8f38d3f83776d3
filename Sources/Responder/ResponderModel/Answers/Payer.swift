package import Platform

package struct Payer: Sendable {
    /// Where from; nil for whoever was not reached over a connection of its own.
    package let network: ClientNetwork?
    /// Over which connection; nil where that is not known.
    package let connection: PayerConnection?
    /// Of one who has asked another service, which has notified us; nil for one who asks here.
    package let notified: Notified?

    package init(
        from network: ClientNetwork? = nil, over connection: PayerConnection? = nil, notified: Notified? = nil
    ) {
        self.network = network
        self.connection = connection
        self.notified = notified
    }

    /// What another service's payer is answered by: its URLs carry no token of ours, and it passes on neither payer data nor
    /// an action.
    package struct Notified: Sendable {
        /// Seconds for which it may show the limits and metadata to further payers.
        package let lifetime: UInt64
        /// Identifies a repeated request: it gets the same invoice while that can be paid.
        package let request: RequestDigest?

        package init(lifetime: UInt64, request: RequestDigest? = nil) {
            self.lifetime = lifetime
            self.request = request
        }
    }
}

/// The connection over which a payer has asked: once it is closed, nobody waits for the answer.
package final class PayerConnection: Sendable {
    private enum State {
        /// What to call when it is closed, by a number each.
        case open(waiting: [UInt64: @Sendable () -> Void], next: UInt64)
        case closed
    }

    private let state = Guarded(State.open(waiting: [:], next: 0))

    package init() {}

    /// Notes that the payer has closed it, in one direction or in both.
    package func close() {
        let waiting = state.withLock { state in
            guard case .open(let waiting, _) = state else { return [UInt64: @Sendable () -> Void]() }
            state = .closed
            return waiting
        }
        for onClose in waiting.values { onClose() }
    }

    /// Waits for an answer, and calls back if the payer closes the connection meanwhile or has closed it.
    package func waiting<Answer: Sendable>(
        for answer: () async -> Answer, onClose: @escaping @Sendable () -> Void
    ) async -> Answer {
        let number = state.withLock { state -> UInt64? in
            guard case .open(var waiting, let next) = state else { return nil }
            waiting[next] = onClose
            state = .open(waiting: waiting, next: next &+ 1)
            return next
        }
        guard let number else {
            onClose()
            return await answer()
        }
        defer {
            state.withLock { state in
                guard case .open(var waiting, let next) = state else { return }
                waiting[number] = nil
                state = .open(waiting: waiting, next: next)
            }
        }
        return await answer()
    }
}
