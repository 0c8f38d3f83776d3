import LightningCoding
import LightningCrypto
import OnionMessages
import Platform

/// The protocol of a connection after its handshake: a pure state machine over messages. Time is passed in.
struct ConnectionLife: Sendable {
    enum Event: Sendable {
        case established
        /// A message arrived: type and payload.
        case received([UInt8])
        /// Send an onion message: its bytes after the type.
        case send([UInt8])
        /// Time has passed; `deadline` says when this is needed.
        case time
        /// End the connection once everything queued is sent.
        case finish
        case close
    }

    enum Action: Hashable, Sendable {
        case send(PeerMessage)
        /// `init` was received; onion messages may be sent.
        case opened(InitialMessage)
        /// An onion message arrived: its bytes after the type.
        case deliver([UInt8])
        case departed
        case dropped(DropReason)
        case warned(String)
        /// Stop reading until resumed: the peer sends too much.
        case pauseReading
        case resumeReading
        /// Send `close` once everything queued is written.
        case closeWhenWritten
        /// Close the connection; nothing follows.
        case close(ConnectionEnd)
    }

    private enum State: Sendable {
        case silent
        case awaitingInit
        case open
        case closed
    }

    private static let pongCount: UInt16 = 1

    private let network: Network?
    private let limits: PeerLimits
    private var state = State.silent
    private var openBy: MonotonicTime
    private var pings: TokenBucket
    private var arrivals: TokenBucket
    private var reading: ReadingPace
    private var departures: PacedQueue
    private var isFinishing = false
    private var carriesOnionMessages = false
    private var nextPing: MonotonicTime
    private var pongBy: MonotonicTime?

    /// A connection whose handshake is not complete yet.
    ///
    /// - Parameter network: the chain; nil names none and accepts any.
    init(network: Network?, limits: PeerLimits, at now: MonotonicTime) {
        self.network = network
        self.limits = limits
        openBy = now + limits.opening
        pings = TokenBucket(at: now)
        arrivals = TokenBucket(at: now)
        reading = ReadingPace(limits, at: now)
        departures = PacedQueue(limits, at: now)
        nextPing = now
    }

    var queued: Int { departures.count }

    /// When `time` is next needed; nil for never.
    func deadline(after now: MonotonicTime) -> MonotonicTime? {
        switch state {
        case .silent, .awaitingInit: openBy
        case .open: [pongBy ?? nextPing, departures.deadline(after: now), reading.pauseEnd].compactMap { $0 }.min()
        case .closed: nil
        }
    }

    /// What to do for an event.
    mutating func on(_ event: Event, at now: MonotonicTime) -> [Action] {
        switch (state, event) {
        case (.closed, _): []
        case (_, .close): end(.closedByUs)
        case (.silent, .established): greet()
        case (.silent, .time), (.awaitingInit, .time): now >= openBy ? end(.openingTooSlow) : []
        case (.awaitingInit, .received(let bytes)): readFirst(bytes, at: now)
        case (.open, .received(let bytes)):
            (reading.take(bytes.count, at: now) ? [.pauseReading] : []) + read(bytes, at: now)
        case (.open, .send(let body)): enqueue(body, at: now)
        case (.silent, .send), (.awaitingInit, .send): [.dropped(.notOpen)]
        case (.open, .time): (reading.resume(at: now) ? [.resumeReading] : []) + keepAlive(at: now) + depart(at: now)
        case (.open, .finish): finish(at: now)
        case (.silent, .finish), (.awaitingInit, .finish): end(.closedByUs)
        case (.silent, .received), (.awaitingInit, .established), (.open, .established): end(.noInit)
        }
    }

    private mutating func greet() -> [Action] {
        state = .awaitingInit
        return [.send(.initialize(InitialMessage(features: .ofMessenger, chains: network.map { [$0.chainHash] })))]
    }

    private mutating func readFirst(_ bytes: [UInt8], at now: MonotonicTime) -> [Action] {
        let message: PeerMessage
        do throws(PeerMessageFault) {
            message = try PeerMessage(bytes)
        } catch {
            return end(.message(error))
        }
        if case .error(let notice) = message { return end(.error(notice.text)) }
        guard case .initialize(let initial) = message else { return end(.noInit) }
        if let bit = initial.features.unknownDemand {
            return end(.unknownFeature(bit), saying: "unknown feature \(bit)")
        }
        guard network.map(initial.shares) ?? true else { return end(.otherNetwork, saying: "no common chain") }
        state = .open
        carriesOnionMessages = initial.features.has(.onionMessages)
        nextPing = now + limits.pingInterval
        return [.opened(initial)]
    }

    private mutating func read(_ bytes: [UInt8], at now: MonotonicTime) -> [Action] {
        let message: PeerMessage
        do throws(PeerMessageFault) {
            message = try PeerMessage(bytes)
        } catch {
            return end(.message(error), saying: error.reason)
        }
        switch message {
        case .initialize: return end(.noInit)
        case .error(let notice): return notice.channel == nil ? end(.error(notice.text)) : [.dropped(.channel)]
        case .warning(let notice): return [.warned(notice.text)]
        case .ping(let pongCount, _): return answerPing(pongCount, at: now)
        case .pong(let count): return takePong(count, at: now)
        case .onionMessage(let body): return take(body, at: now)
        case .dropped(let type): return [.dropped(DropReason(type.disposal))]
        }
    }

    private mutating func take(_ body: [UInt8], at now: MonotonicTime) -> [Action] {
        arrivals.take(limits.arrivals, at: now) == nil ? [.deliver(body)] : [.dropped(.arrivalRate)]
    }

    private mutating func answerPing(_ count: UInt16, at now: MonotonicTime) -> [Action] {
        guard pings.take(limits.pings, at: now) == nil else { return end(.tooManyPings) }
        return count < PeerMessage.tooManyPongBytes ? [.send(.pong(count: count))] : []
    }

    private mutating func takePong(_ count: UInt16, at now: MonotonicTime) -> [Action] {
        guard pongBy != nil, count == Self.pongCount else { return [.dropped(.unasked)] }
        pongBy = nil
        nextPing = now + limits.pingInterval
        return []
    }

    private mutating func keepAlive(at now: MonotonicTime) -> [Action] {
        if let pongBy { return now >= pongBy ? end(.noPong) : [] }
        guard now >= nextPing else { return [] }
        pongBy = now + limits.pongTime
        return [.send(.ping(pongCount: Self.pongCount, padding: 0))]
    }

    private mutating func enqueue(_ body: [UInt8], at now: MonotonicTime) -> [Action] {
        guard carriesOnionMessages else { return [.dropped(.notSupported)] }
        guard departures.append(body) else { return [.dropped(.departureRate)] }
        return depart(at: now)
    }

    private mutating func depart(at now: MonotonicTime) -> [Action] {
        guard case .open = state else { return [] }
        let leaving = departures.due(at: now).flatMap { [Action.send(.onionMessage($0)), .departed] }
        guard isFinishing, departures.count == 0 else { return leaving }
        isFinishing = false
        return leaving + [.closeWhenWritten]
    }

    private mutating func finish(at now: MonotonicTime) -> [Action] {
        isFinishing = true
        return depart(at: now)
    }

    private mutating func end(_ reason: ConnectionEnd, saying text: String? = nil) -> [Action] {
        state = .closed
        return (text.map { [.send(.warning(PeerNotice($0)))] } ?? []) + [.close(reason)]
    }
}

/// A connection's callbacks, on its event loop.
struct ConnectionEvents: Sendable {
    /// Why a node is refused, once its identity is known; nil when it is admitted.
    var refusal: @Sendable (PublicKey) -> ConnectionEnd? = { _ in nil }
    var opened: @Sendable (PeerLink) -> Void
    /// An onion message arrived: its bytes after the type. False when it cannot be taken now.
    var arrived: @Sendable (PeerLink, [UInt8]) -> Bool
    var departed: @Sendable () -> Void = {}
    var dropped: @Sendable (DropReason) -> Void = { _ in }
    /// The connection ended. The node is nil when it was never identified; the link when it was never open.
    var ended: @Sendable (PublicKey?, PeerLink?, ConnectionEnd) -> Void
}
