import CCurl
import Hummingbird
import NIOCore
import Platform

/// The way of a payer's question to a device and back, with nothing of the service in it: Hummingbird takes the question,
/// plain libcurl posts it to the webhook, and the payer gets the reply as it is. `Scripts/bench` measures the gateway
/// beside it.
enum BareRelay {
    /// Answers `/ask`, and takes replies at `/response/{id}`, until the process ends.
    static func run(port: Int, webhook: String) async throws {
        let waiting = Guarded<[UInt64: CheckedContinuation<ByteBuffer, Never>]>([:])
        let poster = BarePoster(to: webhook)
        let router = Router()
        router.get("/ask") { _, _ in
            let reply = await withCheckedContinuation { continuation in
                let id = UInt64.random(in: .min ... .max)
                waiting.withLock { $0[id] = continuation }
                poster.post(#"{"data":{"reply_url":"http://127.0.0.1:\#(port)/response/\#(id)"}}"#)
            }
            return Response(status: .ok, body: ResponseBody(byteBuffer: reply))
        }
        router.post("/response/{id}") { request, context in
            let id = try context.parameters.require("id", as: UInt64.self)
            let body = try await request.body.collect(upTo: 1 << 16)
            guard let payer = waiting.withLock({ $0.removeValue(forKey: id) }) else {
                return HTTPResponse.Status.notFound
            }
            payer.resume(returning: body)
            return HTTPResponse.Status.ok
        }
        let configuration = ApplicationConfiguration(address: .hostname("127.0.0.1", port: port))
        try await Application(router: router, configuration: configuration).run()
    }
}

/// Posts bodies to one URL, on a thread of its own.
private final class BarePoster: Sendable {
    private nonisolated(unsafe) let multi = curl_multi_init()
    private let queued = Guarded<[String]>([])

    init(to url: String) {
        _ = DetachedThread.start { [self] in serve(url) }
    }

    func post(_ body: String) {
        queued.withLock { $0.append(body) }
        curl_multi_wakeup(multi)
    }

    private func serve(_ url: String) {
        var idle: [UnsafeMutableRawPointer] = []
        while true {
            let bodies = queued.withLock { queued in
                defer { queued = [] }
                return queued
            }
            for body in bodies {
                guard let handle = idle.popLast() ?? curl_easy_init() else { continue }
                curl_set_string(handle, CURLOPT_URL, url)
                curl_set_string(handle, CURLOPT_COPYPOSTFIELDS, body)
                curl_multi_add_handle(multi, handle)
            }
            var count: Int32 = 0
            curl_multi_perform(multi, &count)
            while let message = curl_multi_info_read(multi, &count) {
                guard let handle = message.pointee.easy_handle else { continue }
                curl_multi_remove_handle(multi, handle)
                idle.append(handle)
            }
            curl_multi_poll(multi, nil, 0, 1000, nil)
        }
    }
}
