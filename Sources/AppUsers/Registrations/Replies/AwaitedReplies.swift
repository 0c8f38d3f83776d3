import LightningCoding
package import Logging
package import Platform
package import ResponderModel

/// The replies of devices that somebody here waits for, by what stands for the id in their reply URL, whichever instance they
/// reach.
package final class AwaitedReplies: Sendable {
    /// Takes a reply; nil when the service stops. False when another one came before, or it comes too late.
    package typealias Take = @Sendable (DeviceReply?) async -> Bool

    private struct Awaited {
        let take: Take
        /// Whether other instances were told.
        var isShared = false
    }

    private struct State {
        var awaited: [ReplyDigest: Awaited] = [:]
        var isStopped = false
    }

    /// The questions that count for their devices.
    private let wakes = SharedSlots(.max)
    private let shared: (any SharedReplies)?
    private let clock: MonotonicClock
    private let noteFault: @Sendable (LedgerFault) -> Void
    private let state = Guarded(State())

    /// Creates an empty list.
    ///
    /// - Parameters:
    ///   - shared: hands replies from instance to instance; nil where there is one.
    ///   - clock: measures the second until the next look after a fault.
    ///   - noteFault: receives each fault that keeps replies from reaching another instance.
    package init(
        shared: (any SharedReplies)? = nil, clock: MonotonicClock = .system,
        noteFault: @escaping @Sendable (LedgerFault) -> Void = { _ in }
    ) {
        self.shared = shared
        self.clock = clock
        self.noteFault = noteFault
    }

    /// Counts a question for a device; of that many, one network has half.
    package func wake(
        _ device: String, most: Int, for network: ClientNetwork? = nil
    ) throws(DeviceRefusal) -> SharedSlots.Slot {
        var shares = [SharedSlots.Share.most(most, of: device)]
        if let widest = network?.nested.last { shares.append(.most((most + 1) / 2, of: device, from: widest)) }
        return try rethrowing(wakes.take(for: nil, shares)) { DeviceRefusal($0) }
    }

    /// Awaits a reply; false when the service stops.
    ///
    /// - Parameter id: unused until now.
    func open(_ id: ReplyID, _ take: @escaping Take) -> Bool {
        state.withLock { state in
            guard !state.isStopped else { return false }
            state.awaited[id.digest] = Awaited(take: take)
            return true
        }
    }

    /// Tells the other instances of a reply that is awaited, before the device is asked: it may reply faster than whatever
    /// comes later. False when it is awaited no longer.
    func share(_ id: ReplyID, within time: Duration) async -> Bool {
        guard let shared else { return isOpen(id) }
        state.withLock { $0.awaited[id.digest]?.isShared = true }
        guard isOpen(id) else { return false }
        do throws(LedgerFault) {
            try await shared.expect(id.digest, within: time)
        } catch {
            noteFault(error)
        }
        return isOpen(id)
    }

    /// Whether replies may reach other instances.
    package var isShared: Bool { shared != nil }

    package func isOpen(_ id: ReplyID) -> Bool {
        state.withLock { !$0.isStopped && $0.awaited[id.digest] != nil }
    }

    /// Awaits a reply no longer.
    func close(_ id: ReplyID) {
        let isShared = state.withLock { $0.awaited.removeValue(forKey: id.digest)?.isShared ?? false }
        guard let shared, isShared else { return }
        Task { try? await shared.forget(id.digest) }
    }

    /// Takes a reply that a device has posted here; false when it is not awaited here.
    package func accept(_ reply: DeviceReply, for id: ReplyID) async -> Bool { await give(reply, for: id.digest) }

    private func give(_ reply: DeviceReply, for digest: ReplyDigest) async -> Bool {
        guard let awaited = state.withLock({ $0.awaited[digest] }) else { return false }
        return await awaited.take(reply)
    }

    /// Hands a reply that is not awaited here to the instance that awaits it; false when there is none.
    package func hand(_ reply: DeviceReply, for id: ReplyID) async -> Bool {
        guard let shared else { return false }
        do throws(LedgerFault) {
            return try await shared.hand(reply, for: id.digest)
        } catch {
            noteFault(error)
            return false
        }
    }

    /// Takes the replies that have reached other instances, until canceled. A process has one reader of them: what is read
    /// is gone.
    package func run() async {
        guard let shared else { return }
        while !Task.isCancelled {
            do throws(LedgerFault) {
                for handed in try await shared.handedOver() {
                    // The next one does not wait for what this one leads to.
                    Task { _ = await give(handed.reply, for: handed.digest) }
                }
            } catch {
                noteFault(error)
                try? await clock.sleep(clock.now() + .seconds(1))
            }
        }
    }

    /// Tells all who wait that the service stops; from then on no reply is awaited.
    package func stop() async {
        let awaited = state.withLock { state in
            state.isStopped = true
            return Array(state.awaited.values)
        }
        for reply in awaited { _ = await reply.take(nil) }
    }

    /// Tells the operator of faults that lose replies which reach other instances: one line for each cause a minute.
    package static func noteFaults(in logger: Logger) -> @Sendable (LedgerFault) -> Void {
        let lines = RepeatedLines<String>()
        return { fault in
            lines.note(fault.reason) { times in
                var metadata: Logger.Metadata = ["cause": .string(fault.reason)]
                if times > 1 { metadata["times"] = "\(times)" }
                logger.error("replies that reach other instances are lost", metadata: metadata)
            }
        }
    }
}

extension DeviceRefusal {
    init(_ refusal: SharedSlots.Refusal) { self = refusal == .share ? .busy : .full }
}
