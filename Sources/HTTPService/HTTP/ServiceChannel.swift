import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// The pipeline of every connection, from the socket to the routes.
struct ServiceChannel: HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let responder: Responder
    let limits: ServiceLimits
    let unreadable: UnreadableAnswer
    /// Whether every response ends its connection.
    let isStopping: @Sendable () -> Bool
    /// How long a connection is read after its last response.
    static let linger = TimeAmount.seconds(2)

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
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
            return try NIOAsyncChannel(
                wrappingChannelSynchronously: channel,
                configuration: .init(isOutboundHalfClosureEnabled: true)
            )
        }
    }

    func handle(value: Value, logger: Logger) async {
        await handleHTTP(asyncChannel: value, logger: logger)
    }

    private var decoderLimits: NIOHTTPDecoderLimitConfiguration {
        var decoder = NIOHTTPDecoderLimitConfiguration()
        decoder.maxHeaderFieldSize = limits.headerField
        decoder.maxHeaderListSize = limits.header
        decoder.maxHeaderFieldCount = ServiceLimits.headerFields
        return decoder
    }
}
