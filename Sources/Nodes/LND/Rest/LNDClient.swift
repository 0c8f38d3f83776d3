import LightningCoding
import OutboundHTTP
import Platform
import ResponderModel

/// The node's REST interface. The credential files are read at the first call, and again when the node rejects them:
/// certificate and macaroon may have been replaced.
final class LNDClient: Sendable {
    private let configuration: LNDConfiguration
    private let current = Guarded<LNDAccess?>(nil)

    init(_ configuration: LNDConfiguration) {
        self.configuration = configuration
    }

    /// Calls the node.
    ///
    /// - Parameters:
    ///   - filters: whether only what `MemberFilter` keeps is read, for answers whose length payers decide.
    ///   - permission: the permission that the call needs.
    func call(
        _ method: HTTPMethod, _ path: String, query: [(name: String, value: String)] = [],
        body: JSONValue? = nil, filters: Bool = false, needing permission: Permission
    ) async throws(LNDFault) -> NodeAnswer {
        let response = try await response(method, path, query: query, body: body, filters: filters)
        let answer: NodeAnswer
        do {
            answer = try NodeAnswer(response.body, configuration.limits)
        } catch {
            throw .backend(Self.fault(of: response.status, otherwise: error))
        }
        guard response.status != 200 else { return answer }
        throw refusal(answer, status: response.status, needing: permission)
    }

    func stream(_ path: String, query: [(name: String, value: String)]) throws(LNDFault) -> HTTPStream.Iterator {
        let access = try access()
        return access.client.stream(request(.get, path, query: query, body: nil, with: access)).makeAsyncIterator()
    }

    /// The node's error in a response; drops the cached credentials when it is about them.
    func refusal(_ answer: NodeAnswer, status: Int, needing permission: Permission) -> LNDFault {
        do {
            // In the response to a streaming call it is one level deeper.
            let error = try GatewayError((try? answer.member("error")) ?? answer)
            if error.isOfMacaroon { forget() }
            return .refused(error, by: permission)
        } catch {
            return .backend(Self.fault(of: status, otherwise: error))
        }
    }

    /// Makes the next call read the files again.
    func forget() {
        current.withLock { $0 = nil }
    }

    struct Response: Sendable {
        let status: Int
        let body: [UInt8]
    }

    private func response(
        _ method: HTTPMethod, _ path: String, query: [(name: String, value: String)], body: JSONValue?, filters: Bool
    ) async throws(LNDFault) -> Response {
        let access = try access()
        do {
            return try await send(request(method, path, query: query, body: body, with: access), access, filters)
        } catch {
            guard error == .otherKey else { throw .backend(BackendFault(error)) }
        }
        // The file may hold the new certificate already.
        forget()
        let fresh = try self.access()
        guard fresh.key != access.key else { throw .backend(BackendFault(.otherKey)) }
        return try await awaiting(
            await send(request(method, path, query: query, body: body, with: fresh), fresh, filters)
        ) { (fault: OutboundFault) in LNDFault.backend(BackendFault(fault)) }
    }

    private func send(
        _ request: HTTPRequest, _ access: LNDAccess, _ filters: Bool
    ) async throws(OutboundFault) -> Response {
        guard !filters else {
            return try await access.client.send(request, keepingAtMost: configuration.limits.maximumAnswerBytes)
        }
        let response = try await access.client.send(request)
        return Response(status: response.status, body: response.body)
    }

    private func request(
        _ method: HTTPMethod, _ path: String, query: [(name: String, value: String)], body: JSONValue?,
        with access: LNDAccess
    ) -> HTTPRequest {
        HTTPRequest(
            method, configuration.url.appendingPath(path).appendingQuery(query),
            headers: [access.macaroon, .acceptJSON] + (body == nil ? [] : [.jsonContent]),
            body: body?.serializedBytes() ?? [], timeout: configuration.limits.answerTimeout)
    }

    private func access() throws(LNDFault) -> LNDAccess {
        if let access = current.withLock({ $0 }) { return access }
        do {
            let access = try LNDAccess(configuration)
            current.withLock { $0 = access }
            return access
        } catch {
            throw .backend(error)
        }
    }

    /// A response that is not from LND, but from a proxy for instance.
    static func fault(of status: Int, otherwise fault: BackendFault) -> BackendFault {
        switch status {
        case 200: fault
        case 502, 503, 504: .unreachable("status \(status)")
        case 401, 403: .refused("status \(status)")
        default: .malformedAnswer("status \(status) without an error")
        }
    }
}
