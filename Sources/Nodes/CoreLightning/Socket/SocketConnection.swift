import LightningCoding
import Platform

/// A connection to the node's socket, closed with its last reference.
final class SocketConnection: Sendable {
    private let mailbox: Mailbox<SocketMessage>
    private let lastNumber = Guarded<UInt64>(0)

    private init(_ mailbox: Mailbox<SocketMessage>) {
        self.mailbox = mailbox
    }

    deinit {
        mailbox.close()
    }

    static func open(_ path: String, _ limits: CommandLimits) async throws(CommandFault) -> SocketConnection {
        let mailbox = await withCheckedContinuation { continuation in
            SocketLoop.start(path, limits) { continuation.resume(returning: $0) }
        }
        return SocketConnection(try mailbox.get())
    }

    var isOpen: Bool { mailbox.isOpen }

    func call(_ command: Command) async throws(CommandFault) -> JSONValue {
        let number = lastNumber.withLock { last in
            last += 1
            return last
        }
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard mailbox.post(.submit(command, number, continuation)) else {
                    return continuation.resume(returning: .failure(.connectionLost))
                }
                // A cancellation before the command was submitted had no effect.
                if Task.isCancelled { cancel(number) }
            }
        } onCancel: {
            cancel(number)
        }
        return try answer.get()
    }

    /// Closes the connection; all waiters get a fault.
    func close() {
        mailbox.close()
    }

    private func cancel(_ number: UInt64) {
        _ = mailbox.post(.cancel(number))
    }
}
