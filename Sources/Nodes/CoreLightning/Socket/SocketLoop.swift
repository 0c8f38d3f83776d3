import LightningCoding
import Platform

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

enum SocketMessage: Sendable {
    typealias Waiter = CheckedContinuation<Result<JSONValue, CommandFault>, Never>

    case submit(Command, UInt64, Waiter)
    case cancel(UInt64)
}

/// The thread that owns a connection, from connecting to closing: it sends commands and reads responses, some of them
/// megabytes, without blocking anyone else.
final class SocketLoop {
    private let socket: NodeSocket
    private let wakeSignal: SocketWakeSignal
    private let mailbox: Mailbox<SocketMessage>
    private var conversation: Conversation<SocketMessage.Waiter>
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    /// Connects on a new thread, which ends when the mailbox is closed or the connection is lost.
    ///
    /// - Parameter connected: gets the mailbox, or why there is no connection; once, and on the thread.
    static func start(
        _ path: String, _ limits: CommandLimits,
        connected: @escaping @Sendable (Result<Mailbox<SocketMessage>, CommandFault>) -> Void
    ) {
        let isStarted = DetachedThread.start {
            do throws(CommandFault) {
                let loop = try SocketLoop(path, limits)
                connected(.success(loop.mailbox))
                loop.run()
            } catch {
                connected(.failure(error))
            }
        }
        if !isStarted { connected(.failure(.unreachable("no thread"))) }
    }

    private init(_ path: String, _ limits: CommandLimits) throws(CommandFault) {
        socket = try NodeSocket(connectingTo: path, within: limits.connectTimeout)
        let wakeSignal = try SocketWakeSignal()
        self.wakeSignal = wakeSignal
        mailbox = Mailbox { wakeSignal.wake() }
        conversation = Conversation(limits)
    }

    private func run() {
        while conversation.fault == nil {
            let hasCome = wait()
            wakeSignal.silence()
            let (messages, isOpen) = mailbox.collect()
            messages.forEach(take)
            if !isOpen { finish(conversation.end(.closed)) }
            if hasCome { _ = receive() }
            finish(conversation.pass(to: .now))
            send()
        }
        // No more messages arrive now. Late ones fail like the others.
        mailbox.collect().messages.forEach(take)
        mailbox.detach()
    }

    /// Waits until there is something to do; returns whether the node has sent something.
    private func wait() -> Bool {
        let events = Int16(POLLIN) | (conversation.unsent.isEmpty ? 0 : Int16(POLLOUT))
        var watched = [
            pollfd(fd: socket.descriptor, events: events, revents: 0),
            pollfd(fd: wakeSignal.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&watched, nfds_t(watched.count), milliseconds) > 0 else { return false }
        return watched[0].revents & ~Int16(POLLOUT) != 0
    }

    /// The time until the next timeout; -1 for none.
    private var milliseconds: Int32 {
        guard let deadline = conversation.nextDeadline else { return -1 }
        let left = (deadline - MonotonicTime.now) / .milliseconds(1)
        return Int32(min(max(left.rounded(.up), 0), 60_000))
    }

    private func take(_ message: SocketMessage) {
        switch message {
        case .submit(let command, let number, let waiter):
            finish(conversation.submit(command, number, waiter, at: .now))
        case .cancel(let number):
            finish(conversation.cancel(number))
        }
    }

    /// Reads available bytes, up to the size of the buffer; returns whether there were any.
    private func receive() -> Bool {
        switch socket.receive(into: &buffer) {
        case .done(let count):
            finish(conversation.take(buffer[..<count]))
            return true
        case .later: return false
        case .over:
            finish(conversation.lost())
            return false
        }
    }

    private func send() {
        while !conversation.unsent.isEmpty {
            switch socket.send(conversation.unsent) {
            case .done(let count): conversation.sent(count)
            case .later: return
            case .over:
                // Read what the node sent before it disconnected.
                while conversation.fault == nil, receive() {}
                finish(conversation.lost())
            }
        }
    }

    /// Resumes the waiters. Those told that the connection has ended must not find it open.
    private func finish(_ outcomes: [Conversation<SocketMessage.Waiter>.Outcome]) {
        if conversation.fault != nil { mailbox.close() }
        for outcome in outcomes { outcome.waiter.resume(returning: outcome.answer) }
    }
}

/// Interrupts the `poll` of another thread: a socket pair, one end of which that thread watches. Lives as long as it
/// can be signaled.
final class SocketWakeSignal: Sendable {
    /// Readable after a signal.
    let descriptor: Int32
    private let button: Int32

    /// - Throws: `CommandFault.unreachable` when the process has too many open files.
    init() throws(CommandFault) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, StreamSocket.type, 0, &ends) == 0 else {
            throw .unreachable("cannot create a socket pair: error \(errno)")
        }
        for end in ends {
            StreamSocket.prepare(end)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (descriptor, button) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(button)
    }

    /// Signals. A full buffer is fine: an unread signal is enough.
    func wake() {
        let byte: UInt8 = 1
        _ = withUnsafeBytes(of: byte) { StreamSocket.send($0, over: button) }
    }

    func silence() {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            while recv(descriptor, buffer.baseAddress, buffer.count, 0) == buffer.count {}
        }
    }
}
