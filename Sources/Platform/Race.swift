extension MonotonicClock {
    /// The result of `work`, or nil at the deadline.
    ///
    /// Work that does not end when cancelled is abandoned: the deadline holds for the caller whatever a node does.
    package func race<Value: Sendable>(
        until deadline: MonotonicTime, _ work: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let finish = FirstAnswer<Value?>()
        let runner = Task { finish.give(await work()) }
        let timer = Task {
            // Cancelled only once there is a winner, or with the whole race.
            try? await sleep(deadline)
            finish.give(nil)
        }
        let winner = await withTaskCancellationHandler {
            await finish.value()
        } onCancel: {
            runner.cancel()
            timer.cancel()
        }
        runner.cancel()
        timer.cancel()
        return winner
    }
}
