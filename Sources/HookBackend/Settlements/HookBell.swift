import Locking

/// Wakes those who wait for settlements.
final class HookBell: Sendable {
    private let sleepers = Guarded<[ObjectIdentifier: FirstAnswer<Void>]>([:])

    func ring() {
        for sleeper in sleepers.withLock({ Array($0.values) }) { sleeper.give(()) }
    }

    /// Waits for the bell, or for the time to be over, or for the task to be cancelled.
    func wait(atMost time: Duration) async {
        let sleeper = FirstAnswer<Void>()
        let id = ObjectIdentifier(sleeper)
        sleepers.withLock { $0[id] = sleeper }
        let timer = Task {
            try? await Task.sleep(for: time)
            sleeper.give(())
        }
        await withTaskCancellationHandler {
            await sleeper.value()
        } onCancel: {
            sleeper.give(())
        }
        timer.cancel()
        sleepers.withLock { sleepers in _ = sleepers.removeValue(forKey: id) }
    }
}
