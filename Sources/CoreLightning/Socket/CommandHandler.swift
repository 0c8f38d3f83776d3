import LightningCoding
import NIOCore

/// One connection's end of the conversation: writes commands, hands each answer to who waits for it. Lives on the connection's
/// event loop.
final class CommandHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias Answer = Result<JSONValue, CommandFault>

    private struct Waiter {
        let continuation: CheckedContinuation<Answer, Never>
        let deadline: Scheduled<Void>
    }

    private let channel: any Channel
    private let limits: JSONLimits
    private var splitter: DocumentSplitter
    private var pending: PendingCommands<Waiter>
    /// Why nothing more goes over this connection.
    private var fault: CommandFault?

    init(_ channel: any Channel, _ limits: CommandLimits) {
        self.channel = channel
        self.limits = limits.json
        splitter = DocumentSplitter(limits: limits.json)
        pending = PendingCommands(maximum: limits.maximumPending, maximumEvents: limits.maximumPendingEvents)
    }

    func submit(_ command: Command, _ number: UInt64, _ continuation: CheckedContinuation<Answer, Never>) {
        if let fault { return continuation.resume(returning: .failure(fault)) }
        let this = NIOLoopBound(self, eventLoop: channel.eventLoop)
        let deadline = channel.eventLoop.scheduleTask(in: TimeAmount(command.timeout)) { this.value.outOfTime(number) }
        let waiter = Waiter(continuation: continuation, deadline: deadline)
        guard pending.add(number, waiter, waitsForEvent: command.waitsForEvent) else {
            return finish(waiter, .failure(.overloaded))
        }
        channel.writeAndFlush(channel.allocator.buffer(bytes: command.request(number)), promise: nil)
    }

    func cancel(_ number: UInt64) {
        guard let (waiter, _) = pending.giveUp(number) else { return }
        finish(waiter, .failure(.cancelled))
    }

    /// A node that has said nothing at all in the meantime hangs: then everybody is told, and the next command gets a new
    /// connection.
    private func outOfTime(_ number: UInt64) {
        guard let (waiter, isSilent) = pending.giveUp(number) else { return }
        finish(waiter, .failure(.timedOut))
        if isSilent { end(.timedOut) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard fault == nil else { return }
        let documents: [[UInt8]]
        do {
            documents = try splitter.take(unwrapInboundIn(data).readableBytesView)
        } catch {
            return end(.malformed("\(error)"))
        }
        for document in documents where fault == nil { take(document) }
    }

    private func take(_ document: [UInt8]) {
        let message: JSONValue
        do {
            message = try JSONValue(parsing: document, limits: limits)
        } catch {
            return end(.malformed("\(error.kind) at byte \(error.offset)"))
        }
        guard let number = message["id"].flatMap(Command.number(ofAnswer:)) else {
            return end(.malformed("an answer to nothing"))
        }
        switch pending.answer(number) {
        case .unknown: end(.malformed("an answer to nothing"))
        case .nobody: return
        case .waiter(let waiter): finish(waiter, Self.answer(in: message))
        }
    }

    private static func answer(in message: JSONValue) -> Answer {
        if let result = message["result"] { return .success(result) }
        guard let error = message["error"], let fault = CommandFault(error: error) else {
            return .failure(.malformed("neither result nor error"))
        }
        return .failure(fault)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(splitter.isWithinDocument ? .malformed("half an answer") : .connectionLost)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(.connectionLost)
    }

    func end(_ reason: CommandFault) {
        guard fault == nil else { return }
        fault = reason
        for waiter in pending.removeAll() { finish(waiter, .failure(reason)) }
        channel.close(promise: nil)
    }

    private func finish(_ waiter: Waiter, _ answer: Answer) {
        waiter.deadline.cancel()
        waiter.continuation.resume(returning: answer)
    }
}
