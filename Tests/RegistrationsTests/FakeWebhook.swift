import LightningCoding
import OutboundHTTP
import Platform
import Registrations
import ResponderModel
import Testing
import Waiting

/// A webhook that notes what is posted, and answers as it is told to.
final class FakeWebhook: Sendable {
    struct Posted: Sendable {
        let body: JSONValue
        let webhook: WebhookURL
        let time: Duration

        /// The id in the reply URL.
        var id: ReplyID? {
            body["data"]?["reply_url"]?.string?.split(separator: "/").last.flatMap { ReplyID($0) }
        }
    }

    let posted = Guarded<[Posted]>([])
    /// Whether it does not answer until it is released.
    let isHanging = Guarded(false)
    private let held = Guarded<[FirstAnswer<Void>]>([])
    let outcome = Guarded<Result<(status: Int, body: String), OutboundFault>>(.success((200, "")))

    var post: ReplyChannel.Post {
        { body, webhook, time, _ throws(OutboundFault) in
            if let json = try? JSONValue(parsing: body) {
                self.posted.withLock { $0.append(Posted(body: json, webhook: webhook, time: time)) }
            }
            if self.isHanging.withLock({ $0 }) {
                let answer = FirstAnswer<Void>()
                self.held.withLock { $0.append(answer) }
                await answer.value()
            }
            let (status, text) = try self.outcome.withLock { $0 }.get()
            return HTTPResponse(status: status, body: Array(text.utf8))
        }
    }

    /// Answers them all.
    func release() {
        isHanging.withLock { $0 = false }
        for answer in held.withLock({ $0 }) { answer.give(()) }
    }

    func id(_ number: Int) async throws -> ReplyID {
        try await eventually { self.posted.withLock { $0.count > number } }
        return try #require(self.posted.withLock { $0[number].id })
    }
}
