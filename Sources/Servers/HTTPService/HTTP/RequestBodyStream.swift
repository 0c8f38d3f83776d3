import HummingbirdCore
import NIOCore

/// The body of a request as it arrives. No more of it is read than its reader takes.
enum RequestBodyStream {
    typealias Strategy = NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark
    typealias Producer = NIOThrowingAsyncSequenceProducer<ByteBuffer, any Error, Strategy, Demand>
    typealias Source = Producer.Source

    struct Demand: NIOAsyncSequenceProducerDelegate {
        let connection: NIOLoopBound<HTTPConnection>
        let eventLoop: any EventLoop

        func produceMore() {
            eventLoop.execute { [connection] in connection.value.wantBody() }
        }

        func didTerminate() {}
    }

    static func make(_ connection: NIOLoopBound<HTTPConnection>) -> (RequestBody, Source) {
        let made = Producer.makeSequence(
            backPressureStrategy: Strategy(lowWatermark: 1, highWatermark: 2), finishOnDeinit: true,
            delegate: Demand(connection: connection, eventLoop: connection.eventLoop))
        return (RequestBody(asyncSequence: made.sequence), made.source)
    }
}
