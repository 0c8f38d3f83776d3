import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import ResponderModel

/// The pipeline of every connection, from the socket to the routes.
struct ServiceChannel: HTTPChannelHandler {
    /// A connection, and who is at its other end.
    struct Value: ServerChildChannelValue {
        typealias HTTP = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

        let http: HTTP
        let client: ClientConnection
        /// Whether its client has as many others as it may.
        let isRefused: Bool

        var channel: any Channel { http.channel }
    }

    let responder: Responder
    let limits: ServiceLimits
    let sockets: ClientSockets?
    let unreadable: UnreadableAnswer
    /// Whether every response ends its connection.
    let isStopping: @Sendable () -> Bool
    /// How long a connection is read after its last response.
    static let linger = TimeAmount.seconds(2)

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let client = ClientConnection(channel)
            try pipeline.addHandler(CloseNotice(client.payer))
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false,
                withErrorHandling: false,
                withOutboundHeaderValidation: false,
                withEncoderConfiguration: .init(),
                withDecoderLimitConfiguration: decoderLimits
            )
            try pipeline.addHandlers([
                ConnectionPersistence(linger: Self.linger, isStopping: isStopping),
                UnreadableRequest(answer: unreadable),
                HTTP1ToHTTPServerCodec(secure: false),
                RequestDeadline(limit: .seconds(Int64(clamping: limits.requestTime))),
                // Only a complete header counts as activity: this bounds idle and slow connections alike.
                HTTPConnectionStateHandler(idleTimeout: .seconds(Int64(clamping: limits.headerTime)), logger: logger),
            ])
            let http = try Value.HTTP(
                wrappingChannelSynchronously: channel,
                configuration: .init(isOutboundHalfClosureEnabled: true)
            )
            return Value(http: http, client: client, isRefused: sockets?.take(for: client, channel) == false)
        }
    }

    func handle(value: Value, logger: Logger) async {
        guard !value.isRefused else {
            try? await value.http.executeThenClose { _, _ in }
            return
        }
        await withTaskExecutorPreference(EventLoopExecutor(value.channel.eventLoop)) {
            await ServiceContext.$connection.withValue(value.client) {
                await handleHTTP(asyncChannel: value.http, logger: logger)
            }
        }
    }

    private var decoderLimits: NIOHTTPDecoderLimitConfiguration {
        var decoder = NIOHTTPDecoderLimitConfiguration()
        decoder.maxHeaderFieldSize = limits.headerField
        decoder.maxHeaderListSize = limits.header
        decoder.maxHeaderFieldCount = ServiceLimits.headerFields
        return decoder
    }
}

/// Tells whoever waits for an answer that the client has closed the connection, or its side of it: with its request it has
/// sent all that it will, but hardly a payer who is still there closes.
final class CloseNotice: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let connection: PayerConnection

    init(_ connection: PayerConnection) {
        self.connection = connection
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(.inputClosed) = event as? ChannelEvent { connection.close() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection.close()
        context.fireChannelInactive()
    }
}
