import HTTPTypes
import Hummingbird
import HummingbirdCore
import LightningCoding
import NIOCore
import NIOHTTP1

extension HTTPConnection {
    /// A request and its response.
    final class Exchange {
        let connection: HTTPConnection
        let isKeepAlive: Bool
        let version: HTTPVersion
        /// The request until its answer begins: once all of it is there, or all that was sent at once.
        var waiting: HTTPRequest?
        /// What has arrived of its body by then.
        var bytes = ByteBuffer()
        /// Takes the rest.
        var body: RequestBodyStream.Source?
        var isRead = false
        var hasBegun = false
        var isLast = false
        /// A response without an end.
        var isStream = false

        /// Whether the client waits with its body for an interim response, which HTTP/1.0 does not know (RFC 9110, 10.1.1).
        var expectsContinue: Bool {
            version != .http1_0 && waiting?.headerFields[.expect]?.lowercasedASCII.isExactly("100-continue") == true
        }

        init(_ request: HTTPRequest, _ head: HTTPRequestHead, over connection: HTTPConnection) {
            self.connection = connection
            waiting = request
            version = head.version
            // Nothing is read after a request to use another protocol.
            let isOther = head.version.major != 1 || head.method == .CONNECT || request.headerFields.contains(.upgrade)
            isKeepAlive = head.isKeepAlive && !isOther
        }
    }

    /// What is answered in an exchange.
    struct Question: Sendable {
        let request: Request
        let context: ServiceContext
        let exchange: NIOLoopBound<Exchange>
    }
}
