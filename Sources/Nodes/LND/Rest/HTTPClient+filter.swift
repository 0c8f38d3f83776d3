import OutboundHTTP
import Platform

extension HTTPClient {
    /// Sends a request, and keeps of the response's JSON what `MemberFilter` keeps, whatever its length.
    ///
    /// - Parameter limit: how many bytes are kept at most.
    func send(_ request: HTTPRequest, keepingAtMost limit: Int) async throws(OutboundFault) -> LNDClient.Response {
        // A stream has no time limit of its own.
        let result = await MonotonicClock.system.race(until: .now + request.timeout) {
            await self.filtered(request, limit)
        }
        return try (result ?? .failure(Task.isCancelled ? .canceled : .timeout(requestSent: true))).get()
    }

    private func filtered(_ request: HTTPRequest, _ limit: Int) async -> Result<LNDClient.Response, OutboundFault> {
        var filter = MemberFilter(limit: limit)
        var status = 0
        do throws(OutboundFault) {
            let events = stream(request).makeAsyncIterator()
            while let event = try await events.next() {
                switch event {
                case .head(let found, _): status = found
                case .bytes(let bytes): filter.append(bytes)
                }
                if filter.isTooLong { throw .bodyTooLarge }
            }
        } catch {
            return .failure(error)
        }
        return .success(LNDClient.Response(status: status, body: filter.kept))
    }
}
