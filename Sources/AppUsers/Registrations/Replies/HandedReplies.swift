package import Platform
package import ResponderModel

/// The replies to this instance that others have received. A process has one reader of them: what is read is gone, whoever
/// it is for.
package struct HandedReplies: Sendable {
    private let shared: any SharedReplies
    private let clock: MonotonicClock
    private let noteFault: @Sendable (LedgerFault) -> Void

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - shared: where replies are handed over.
    ///   - clock: measures the second until the next look after a fault.
    ///   - noteFault: receives each fault, while which replies are lost.
    package init(
        _ shared: any SharedReplies, clock: MonotonicClock = .system,
        noteFault: @escaping @Sendable (LedgerFault) -> Void
    ) {
        self.shared = shared
        self.clock = clock
        self.noteFault = noteFault
    }

    /// Gives each reply to those who may wait for it, until cancelled.
    package func run(_ give: @Sendable (HandedReply) -> Void) async {
        while !Task.isCancelled {
            do throws(LedgerFault) {
                for handed in try await shared.handedOver() { give(handed) }
            } catch {
                noteFault(error)
                try? await clock.sleep(clock.now() + .seconds(1))
            }
        }
    }
}
