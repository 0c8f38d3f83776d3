import HTTPTypes
import HummingbirdCore
import LightningCoding
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// The body of a request as it arrives. No more of it is read than its reader takes.
enum RequestBodyStream {
    typealias Strategy = NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark
    typealias Producer = NIOThrowingAsyncSequenceProducer<ByteBuffer, any Error, Strategy, Demand>
    typealias Source = Producer.Source

    struct Demand: NIOAsyncSequenceProducerDelegate {
        let connection: NIOLoopBound<HTTPConnection>

        func produceMore() {
            connection.eventLoop.execute { [connection] in connection.value.wantBody() }
        }

        func didTerminate() {}
    }

    static func make(_ connection: NIOLoopBound<HTTPConnection>) -> (RequestBody, Source) {
        let made = Producer.makeSequence(
            backPressureStrategy: Strategy(lowWatermark: 1, highWatermark: 2), finishOnDeinit: true,
            delegate: Demand(connection: connection))
        return (RequestBody(asyncSequence: made.sequence), made.source)
    }
}

extension HTTPRequest {
    /// The head of a request as routes see it; nil when it has several `Host` fields or an unknown method.
    init?(_ head: HTTPRequestHead) {
        guard let method = try? Method(head.method) else { return nil }
        var (host, fields) = (String?.none, HTTPFields())
        fields.reserveCapacity(head.headers.count)
        for (name, value) in head.headers {
            guard let name = HTTPField.Name(name) else { continue }
            guard name.canonicalName.isExactly("host") else {
                fields.append(HTTPField(name: name, value: value))
                continue
            }
            guard host == nil else { return nil }
            host = value
        }
        self.init(method: method, scheme: "http", authority: host, path: head.uri, headerFields: fields)
    }
}

extension HTTPRequestHead {
    /// About how many bytes of memory it takes: many short fields take more than they have bytes.
    var memory: Int {
        headers.reduce(uri.utf8.count) { $0 + 64 + $1.name.utf8.count + $1.value.utf8.count }
    }
}
