package final class WakeSignal: Sendable {
    private let wakes = Guarded<[ObjectIdentifier: AsyncStream<Void>.Continuation]>([:])

    package init() {}

    /// Wakes every listener.
    package func wake() {
        for listener in wakes.withLock({ Array($0.values) }) { listener.yield() }
    }

    /// One who waits for the signal, and for ticks, since what is new may be made by those who cannot wake it.
    package final class Listener: Sendable {
        private let wakeSignal: WakeSignal
        /// One element whenever there may be something new; several pending ones are merged.
        private let wakes: AsyncStream<Void>
        private let ticker: Task<Void, Never>

        /// Listens until it is released.
        package init(to wakeSignal: WakeSignal, ticks: AsyncStream<Void>) {
            self.wakeSignal = wakeSignal
            let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
            self.wakes = wakes
            ticker = Task { for await _ in ticks { wake.yield() } }
            wakeSignal.wakes.withLock { $0[ObjectIdentifier(self)] = wake }
        }

        deinit {
            ticker.cancel()
            wakeSignal.wakes.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(self)) }
        }

        /// Waits for the next wake-up, or takes a pending one. False when the task is canceled.
        package func isWoken() async -> Bool {
            for await _ in wakes { return true }
            return false
        }
    }
}
