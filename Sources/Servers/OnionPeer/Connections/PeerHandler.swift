import Platform
import LightningCoding
import LightningCrypto
import NIOCore
import OnionMessages

/// Runs a connection: moves bytes to and from the state machines of BOLT 8 and of the connection's protocol.
///
/// Nothing is read while the peer does not take what is sent, which bounds what it can make us send, nor while it has
/// sent more than `PeerLimits.reading` allows.
final class PeerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    enum Role: Sendable {
        case initiator(of: PublicKey)
        case responder
    }

    private let role: Role
    private let key: SecretKey
    private let host: String
    private let events: ConnectionEvents
    private let meter = TrafficMeter()
    private let makeLife: @Sendable (MonotonicTime) -> ConnectionLife

    private var machines: (secure: SecureChannel, life: ConnectionLife)?
    private var remote: PublicKey?
    private var link: PeerLink?
    private(set) var received: ByteBuffer?
    private var timer: (task: Scheduled<Void>, deadline: MonotonicTime)?
    private var hasEnded = false
    private var isReadingPaused = false
    /// The same instant on two clocks: the state machines', and the event loop's, which tests advance by hand.
    private var clocks = (machines: MonotonicTime.now, loop: NIODeadline.distantPast)

    init(
        _ role: Role, key: SecretKey, host: String, network: Network?, limits: PeerLimits, events: ConnectionEvents
    ) {
        self.role = role
        self.key = key
        self.host = host
        self.events = events
        makeLife = { ConnectionLife(network: network, limits: limits, at: $0) }
        if case .initiator(let node) = role { remote = node }
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard machines == nil, !hasEnded else { return }
        clocks.loop = context.eventLoop.now
        do {
            let ephemeral = try SecretKey.random()
            let life = makeLife(now(context))
            switch role {
            case .initiator(let node):
                let (secure, opening) = try SecureChannel.initiate(to: node, key: key, ephemeral: ephemeral)
                machines = (secure, life)
                write(opening, context)
            case .responder:
                machines = (SecureChannel.answer(key: key, ephemeral: ephemeral), life)
            }
            context.flush()
            setTimer(context)
        } catch {
            end(.noRandomness, context)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasEnded else { return }
        var buffer = unwrapInboundIn(data)
        let count = UInt64(buffer.readableBytes)
        meter.note { $0.bytesIn &+= count }
        if var waiting = received {
            received = nil
            waiting.writeBuffer(&buffer)
            buffer = waiting
        }
        read(&buffer, context)
        keep(buffer)
        context.flush()
        setTimer(context)
    }

    /// Keeps only unread bytes: otherwise a frame that continues in the next segment would keep all earlier frames in
    /// memory. The copied bytes came with this segment, so that the cost is bounded by what was sent.
    private func keep(_ buffer: ByteBuffer) {
        guard !hasEnded, buffer.readableBytes > 0 else { return }
        received = buffer.readerIndex == 0 ? buffer : ByteBuffer(bytes: buffer.readableBytesView)
    }

    private func read(_ buffer: inout ByteBuffer, _ context: ChannelHandlerContext) {
        while !hasEnded, let wanted = machines?.secure.wanted, buffer.readableBytes >= wanted,
            let bytes = buffer.readBytes(length: wanted)
        {
            do throws(TransportFault) {
                guard let event = try machines?.secure.receive(bytes) else { return }
                take(event, context)
            } catch {
                end(.transport(error), context)
            }
        }
    }

    private func take(_ event: SecureChannel.Event, _ context: ChannelHandlerContext) {
        switch event {
        case .send(let bytes):
            write(bytes, context)
        case .established(let node, let bytes):
            remote = node
            if !bytes.isEmpty { write(bytes, context) }
            if let refusal = events.refusal(node) {
                end(refusal, context)
            } else {
                advance(.established, context)
            }
        case .continued:
            break
        case .message(let message):
            advance(.received(message), context)
        }
    }

    private func advance(_ event: ConnectionLife.Event, _ context: ChannelHandlerContext) {
        let actions = machines?.life.on(event, at: now(context)) ?? []
        for action in actions where !hasEnded { carryOut(action, context) }
        meter.setWaiting(machines?.life.queued ?? 0)
    }

    private func carryOut(_ action: ConnectionLife.Action, _ context: ChannelHandlerContext) {
        switch action {
        case .send(let message):
            do throws(TransportFault) {
                if let frame = try machines?.secure.frame(message.bytes) { write(frame, context) }
            } catch {
                end(.transport(error), context)
            }
        case .opened(let initial):
            open(initial, context)
        case .deliver(let body):
            deliver(body)
        case .departed:
            meter.noteDeparture()
            events.departed()
        case .dropped(let reason):
            drop(reason)
        case .warned(let text):
            meter.note { $0.warning = text }
        case .pauseReading:
            isReadingPaused = true
            setReading(context)
        case .resumeReading:
            isReadingPaused = false
            setReading(context)
        case .closeWhenWritten:
            let nothing = context.channel.allocator.buffer(capacity: 0)
            context.writeAndFlush(wrapOutboundOut(nothing)).assumeIsolated().whenComplete { _ in
                self.tell(.close, context)
            }
        case .close(let reason):
            end(reason, context)
        }
    }

    private func deliver(_ body: [UInt8]) {
        // Counted before the callback, so that the callback sees the count.
        meter.noteArrival()
        guard let link, events.arrived(link, body) else { return drop(.busy) }
    }

    private func drop(_ reason: DropReason) {
        meter.note { $0.dropped[reason, default: 0] &+= 1 }
        events.dropped(reason)
    }

    private func open(_ initial: InitialMessage, _ context: ChannelHandlerContext) {
        guard let remote else { return }
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let isIncoming = if case .responder = role { true } else { false }
        let link = PeerLink(
            remote: remote, own: key, features: initial.features, isIncoming: isIncoming, host: host,
            network: isIncoming ? PeerListener.network(of: context.remoteAddress) : nil, meter: meter,
            channel: context.channel, deliver: { handler.value.tell($0, bound.value) })
        self.link = link
        events.opened(link)
    }

    /// Handles an outside event, on the event loop.
    private func tell(_ event: ConnectionLife.Event, _ context: ChannelHandlerContext) {
        guard !hasEnded else { return }
        advance(event, context)
        context.flush()
        setTimer(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        setReading(context)
        context.fireChannelWritabilityChanged()
    }

    private func setReading(_ context: ChannelHandlerContext) {
        let reads = context.channel.isWritable && !isReadingPaused
        context.channel.setOption(.autoRead, value: reads).whenFailure { _ in }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.closedByPeer, context)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(error as? ConnectionEnd ?? .network(NetworkFault(error)), context)
    }

    private func write(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        let count = UInt64(bytes.count)
        meter.note { $0.bytesOut &+= count }
        context.write(wrapOutboundOut(context.channel.allocator.buffer(bytes: bytes)), promise: nil)
    }

    private func end(_ reason: ConnectionEnd, _ context: ChannelHandlerContext) {
        guard !hasEnded else { return }
        hasEnded = true
        timer?.task.cancel()
        timer = nil
        received = nil
        machines = nil
        context.flush()
        context.close(promise: nil)
        events.ended(remote, link, reason)
        link = nil
    }

    /// One timer for all deadlines; firing early does no harm.
    private func setTimer(_ context: ChannelHandlerContext) {
        guard !hasEnded, let deadline = machines?.life.deadline(after: now(context)) else { return }
        if let timer, timer.deadline <= deadline { return }
        timer?.task.cancel()
        let task = context.eventLoop.assumeIsolated().scheduleTask(in: .init(deadline - now(context))) {
            self.timer = nil
            self.tell(.time, context)
        }
        timer = (task, deadline)
    }

    private func now(_ context: ChannelHandlerContext) -> MonotonicTime {
        clocks.machines + .nanoseconds((context.eventLoop.now - clocks.loop).nanoseconds)
    }
}
