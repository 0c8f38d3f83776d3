import LightningCoding
import OnionMessages
import RateLimiting

/// The life of a connection from the end of its handshake on: a machine over messages. Time is told to it.
struct ConnectionLife: Sendable {
    enum Event: Sendable {
        /// The handshake is done.
        case established
        /// A message has arrived: type and payload.
        case received([UInt8])
        /// An onion message is to be sent: what follows its type.
        case send([UInt8])
        /// Time has passed; `deadline` says when this is of use.
        case time
        /// It is to end when everything has left that waits to be sent.
        case finish
        /// It is to end.
        case close
    }

    enum Action: Hashable, Sendable {
        /// Send this.
        case send(PeerMessage)
        /// The other side has said what it is; onion messages may be sent.
        case opened(InitialMessage)
        /// An onion message has arrived: what follows its type.
        case deliver([UInt8])
        /// An onion message has left.
        case departed
        /// Something was dropped.
        case dropped(DropReason)
        /// The other side warns of something.
        case warned(String)
        /// Read nothing until told to resume: the other side sends too much.
        case pauseReading
        /// Read on.
        case resumeReading
        /// Tell `close` when everything is written that was sent.
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
    private var openBy: ContinuousClock.Instant
    private var pings: TokenBucket
    private var arrivals: TokenBucket
    private var reading: ReadingPace
    private var departures: PacedQueue
    private var isFinishing = false
    private var carriesOnionMessages = false
    private var nextPing: ContinuousClock.Instant
    private var pongBy: ContinuousClock.Instant?

    /// A connection whose handshake is not done yet.
    ///
    /// - Parameter network: the chain; nil names none, and fits all.
    init(network: Network?, limits: PeerLimits, at now: ContinuousClock.Instant) {
        self.network = network
        self.limits = limits
        openBy = now + limits.opening
        pings = TokenBucket(at: now)
        arrivals = TokenBucket(at: now)
        reading = ReadingPace(limits, at: now)
        departures = PacedQueue(limits, at: now)
        nextPing = now
    }

    /// How many onion messages wait for their turn.
    var queued: Int { departures.count }

    /// When `time` has to be told next; nil when never.
    func deadline(after now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        switch state {
        case .silent, .awaitingInit: openBy
        case .open: [pongBy ?? nextPing, departures.deadline(after: now), reading.pauseEnd].compactMap { $0 }.min()
        case .closed: nil
        }
    }

    /// What to do when something happens.
    mutating func on(_ event: Event, at now: ContinuousClock.Instant) -> [Action] {
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
        return [.send(.initialise(InitialMessage(features: .ofMessenger, chains: network.map { [$0.chainHash] })))]
    }

    private mutating func readFirst(_ bytes: [UInt8], at now: ContinuousClock.Instant) -> [Action] {
        let message: PeerMessage
        do throws(PeerMessageFault) {
            message = try PeerMessage(bytes)
        } catch {
            return end(.message(error))
        }
        if case .error(let notice) = message { return end(.error(notice.text)) }
        guard case .initialise(let initial) = message else { return end(.noInit) }
        if let bit = initial.features.unknownDemand {
            return end(.unknownFeature(bit), saying: "unknown feature \(bit)")
        }
        guard network.map(initial.shares) ?? true else { return end(.otherNetwork, saying: "no common chain") }
        state = .open
        carriesOnionMessages = initial.features.has(.onionMessages)
        nextPing = now + limits.pingInterval
        return [.opened(initial)]
    }

    private mutating func read(_ bytes: [UInt8], at now: ContinuousClock.Instant) -> [Action] {
        let message: PeerMessage
        do throws(PeerMessageFault) {
            message = try PeerMessage(bytes)
        } catch {
            return end(.message(error), saying: error.reason)
        }
        switch message {
        case .initialise: return end(.noInit)
        case .error(let notice): return notice.channel == nil ? end(.error(notice.text)) : [.dropped(.channel)]
        case .warning(let notice): return [.warned(notice.text)]
        case .ping(let pongCount, _): return answerPing(pongCount, at: now)
        case .pong(let count): return takePong(count, at: now)
        case .onionMessage(let body): return take(body, at: now)
        case .dropped(let type): return [.dropped(DropReason(type.disposal))]
        }
    }

    private mutating func take(_ body: [UInt8], at now: ContinuousClock.Instant) -> [Action] {
        arrivals.take(limits.arrivals, at: now) == nil ? [.deliver(body)] : [.dropped(.arrivalRate)]
    }

    private mutating func answerPing(_ count: UInt16, at now: ContinuousClock.Instant) -> [Action] {
        guard pings.take(limits.pings, at: now) == nil else { return end(.tooManyPings) }
        return count < PeerMessage.tooManyPongBytes ? [.send(.pong(count: count))] : []
    }

    private mutating func takePong(_ count: UInt16, at now: ContinuousClock.Instant) -> [Action] {
        guard pongBy != nil, count == Self.pongCount else { return [.dropped(.unasked)] }
        pongBy = nil
        nextPing = now + limits.pingInterval
        return []
    }

    private mutating func keepAlive(at now: ContinuousClock.Instant) -> [Action] {
        if let pongBy { return now >= pongBy ? end(.noPong) : [] }
        guard now >= nextPing else { return [] }
        pongBy = now + limits.pongTime
        return [.send(.ping(pongCount: Self.pongCount, padding: 0))]
    }

    private mutating func enqueue(_ body: [UInt8], at now: ContinuousClock.Instant) -> [Action] {
        guard carriesOnionMessages else { return [.dropped(.notSupported)] }
        guard departures.append(body) else { return [.dropped(.departureRate)] }
        return depart(at: now)
    }

    private mutating func depart(at now: ContinuousClock.Instant) -> [Action] {
        guard case .open = state else { return [] }
        let leaving = departures.due(at: now).flatMap { [Action.send(.onionMessage($0)), .departed] }
        guard isFinishing, departures.count == 0 else { return leaving }
        isFinishing = false
        return leaving + [.closeWhenWritten]
    }

    private mutating func finish(at now: ContinuousClock.Instant) -> [Action] {
        isFinishing = true
        return depart(at: now)
    }

    private mutating func end(_ reason: ConnectionEnd, saying text: String? = nil) -> [Action] {
        state = .closed
        return (text.map { [.send(.warning(PeerNotice($0)))] } ?? []) + [.close(reason)]
    }
}
