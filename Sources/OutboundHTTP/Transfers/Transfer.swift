import CCurl
import LightningCoding

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// One request on an easy handle, with what was received so far. Confined to the loop's thread.
final class Transfer {
    let id: TransferID
    let easy: UnsafeMutableRawPointer
    /// Host and port of the request.
    let host: String
    private let configuration: HTTPClient.Configuration
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var pins: UnsafeMutablePointer<curl_slist>?
    private var received = ReceivedResponse()
    private let pipe: StreamPipe?
    /// Whether the pipe has received the status and header fields.
    private var isHeadDelivered = false
    private var refusedAnAddress = false
    private var triedAnAddress = false

    /// - Parameter isConnected: whether the host has answered over HTTP/2 on a connection that is still there.
    init(
        _ submission: Submission, _ configuration: HTTPClient.Configuration, isConnected: Bool
    ) throws(OutboundFault) {
        guard let easy = curl_easy_init() else { throw .other(code: Int(CURLE_OUT_OF_MEMORY.rawValue)) }
        id = submission.id
        self.easy = easy
        self.configuration = configuration
        host = submission.request.url.authority
        if case .stream(let pipe) = submission.receiver { self.pipe = pipe } else { pipe = nil }
        received.maximumHeaderBytes = configuration.maximumHeaderBytes
        received.maximumBodyBytes = configuration.maximumBodyBytes
        received.wantsBody = submission.request.wantsBody
        try setRequest(submission.request)
        try setTimes(until: submission.deadline)
        try setSecurity()
        try setRoute(to: submission.request.url)
        try setVersion(isConnected)
        try setCallbacks()
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(fields)
        curl_slist_free_all(pins)
    }
}

// MARK: - Options

extension Transfer {
    private func setRequest(_ request: HTTPRequest) throws(OutboundFault) {
        try set(CURLOPT_URL, request.url.text)
        try set(CURLOPT_PATH_AS_IS, 1)
        try set(CURLOPT_USERAGENT, configuration.userAgent)
        switch request.method {
        case .get: try set(CURLOPT_HTTPGET, 1)
        case .head: try set(CURLOPT_NOBODY, 1)
        case .post: try set(CURLOPT_POST, 1)
        case .put, .delete, .options: try set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
        if request.method == .post || !request.body.isEmpty {
            try check(curl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count)))
            try check(
                request.body.withUnsafeBytes {
                    curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, $0.baseAddress ?? UnsafeRawPointer(easy))
                })
        }
        // Without this, libcurl waits a second for "100 Continue" before it sends a large body.
        append("Expect:", to: &fields)
        if let name = request.namedFor { append("Host: \(name.authority)", to: &fields) }
        for field in request.headers {
            // In libcurl's syntax "Name:" would remove a field; "Name;" sends it empty.
            append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)", to: &fields)
        }
        try check(curl_set_pointer(easy, CURLOPT_HTTPHEADER, fields))
    }

    private func setTimes(until deadline: ContinuousClock.Instant) throws(OutboundFault) {
        let left = (deadline - .now) / .milliseconds(1)
        let connect = configuration.connectTimeout / .milliseconds(1)
        // Zero means no timeout to libcurl.
        if pipe == nil {
            try set(CURLOPT_TIMEOUT_MS, Int(min(max(left, 1), 86_400_000)))
        }
        try set(CURLOPT_CONNECTTIMEOUT_MS, Int(min(max(min(connect, left), 1), 86_400_000)))
        try set(CURLOPT_NOSIGNAL, 1)
        // Otherwise removing a transfer would wait for a slow resolver, and delay all other transfers.
        try set(CURLOPT_QUICK_EXIT, 1)
    }

    private func setSecurity() throws(OutboundFault) {
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        if let key = configuration.pinnedKey {
            try set(CURLOPT_SSL_VERIFYPEER, 0)
            try set(CURLOPT_SSL_VERIFYHOST, 0)
            try set(CURLOPT_PINNEDPUBLICKEY, key.text)
        } else {
            try set(CURLOPT_SSL_VERIFYPEER, 1)
            try set(CURLOPT_SSL_VERIFYHOST, 2)
        }
        if let file = configuration.certificateAuthorities {
            try set(CURLOPT_CAINFO, file)
            try check(curl_set_string(easy, CURLOPT_CAPATH, nil))
        }
        if received.wantsBody, pipe == nil {
            try check(
                curl_set_offset(easy, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(configuration.maximumBodyBytes)))
        }
    }

    private func setRoute(to url: HTTPURL) throws(OutboundFault) {
        // Set even when empty, or libcurl uses the environment.
        try set(CURLOPT_PROXY, configuration.proxy.text)
        try set(CURLOPT_NOPROXY, "")
        if case .http = configuration.proxy, url.scheme == .https { try set(CURLOPT_HTTPPROXYTUNNEL, 1) }
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        for pin in configuration.pinnedHosts {
            append("\(pin.host):\(pin.port):\(pin.addresses.joined(separator: ","))", to: &pins)
        }
        try check(curl_set_pointer(easy, CURLOPT_RESOLVE, pins))
        if !configuration.reusesConnections {
            try set(CURLOPT_FRESH_CONNECT, 1)
            try set(CURLOPT_FORBID_REUSE, 1)
        }
    }

    private func setVersion(_ isConnected: Bool) throws(OutboundFault) {
        guard let http2 = configuration.http2 else { return }
        // With prior knowledge, libcurl 7.88 begins HTTP/2 anew on a connection that speaks it already, and fails.
        let begins = http2 == .priorKnowledge && !isConnected
        try set(
            CURLOPT_HTTP_VERSION, Int(begins ? CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE : CURL_HTTP_VERSION_2TLS))
        // Waits for a connection that is being made, instead of making another.
        try set(CURLOPT_PIPEWAIT, 1)
        try set(CURLOPT_MAXAGE_CONN, 4 * 3600)
    }

    private func setCallbacks() throws(OutboundFault) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        try check(curl_set_pointer(easy, CURLOPT_PRIVATE, context))
        try check(
            curl_set_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
                Transfer.at(context)?.takeHeader(UnsafeRawBufferPointer(start: bytes, count: count)) ?? 0
            })
        try check(curl_set_pointer(easy, CURLOPT_HEADERDATA, context))
        try check(
            curl_set_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
                Transfer.at(context)?.takeBody(UnsafeRawBufferPointer(start: bytes, count: count)) ?? 0
            })
        try check(curl_set_pointer(easy, CURLOPT_WRITEDATA, context))
        try check(
            curl_set_open_socket(
                easy,
                { context, _, address in
                    guard let transfer = Transfer.at(context), let address else { return CURL_SOCKET_BAD }
                    return transfer.openSocket(to: address)
                }))
        try check(curl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, context))
    }

    private func takeHeader(_ line: UnsafeRawBufferPointer) -> Int {
        let taken = received.takeHeader(line)
        // An empty line ends a section; those of interim responses (1xx) do not count.
        if taken == line.count, line.first == 0x0D || line.first == 0x0A { deliverHead() }
        return taken
    }

    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let pipe else { return received.takeBody(bytes) }
        return pipe.write(.bytes(Array(bytes))) ? bytes.count : Int(CURL_WRITEFUNC_PAUSE)
    }

    private func deliverHead() {
        let status = number(CURLINFO_RESPONSE_CODE)
        guard let pipe, !isHeadDelivered, status >= 200 else { return }
        isHeadDelivered = true
        _ = pipe.write(.head(status: status, headers: received.headers))
    }

    /// Resumes a paused stream.
    func resume() {
        curl_easy_pause(easy, CURLPAUSE_CONT)
    }

    /// The transfer of an easy handle.
    static func on(_ easy: UnsafeMutableRawPointer) -> Transfer? {
        var context: UnsafeMutableRawPointer?
        guard curl_get_pointer(easy, CURLINFO_PRIVATE, &context) == CURLE_OK else { return nil }
        return at(context)
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Opens a socket for libcurl unless the policy forbids its address.
    private func openSocket(to address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        if configuration.proxy == .none, configuration.addressPolicy.scope != .any {
            // The field begins a larger structure: take its address, not its value.
            let start = UnsafeRawPointer(address) + (MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0)
            guard let ip = IPAddress(start, family: address.pointee.family),
                configuration.addressPolicy.permits(ip)
            else {
                refusedAnAddress = true
                return CURL_SOCKET_BAD
            }
        }
        triedAnAddress = true
        #if canImport(Glibc)
        let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        #else
        let kind = address.pointee.socktype
        #endif
        let descriptor = socket(address.pointee.family, kind, address.pointee.protocol)
        // Any connection may later be reused by a stream.
        KeepAlive.standard.apply(to: descriptor)
        return descriptor
    }

    private func set(_ option: CURLoption, _ value: Int) throws(OutboundFault) {
        try check(curl_set_long(easy, option, value))
    }

    private func set(_ option: CURLoption, _ value: String) throws(OutboundFault) {
        try check(curl_set_string(easy, option, value))
    }

    private func check(_ code: CURLcode) throws(OutboundFault) {
        guard code == CURLE_OK else { throw .other(code: Int(code.rawValue)) }
    }

    private func append(_ text: String, to list: inout UnsafeMutablePointer<curl_slist>?) {
        // Keeps the list when memory runs out: libcurl then returns null, and the old list stays valid.
        if let longer = curl_slist_append(list, text) { list = longer }
    }
}

// MARK: - Outcome

extension Transfer {
    /// The outcome of the request, once libcurl has finished it.
    func outcome(_ code: CURLcode) -> Result<HTTPResponse, OutboundFault> {
        if let fault = received.fault { return .failure(fault) }
        let isAnswered = !received.wantsBody && received.isHeaderComplete
        guard code == CURLE_OK || isAnswered else { return .failure(fault(code)) }
        // libcurl accepts a truncated header section.
        guard received.isHeaderComplete else { return .failure(.connectionLost(requestSent: true)) }
        guard configuration.http2 == nil || number(CURLINFO_HTTP_VERSION) == CURL_HTTP_VERSION_2_0 else {
            return .failure(.malformedResponse)
        }
        let timing = HTTPTiming(
            resolved: duration(CURLINFO_NAMELOOKUP_TIME_T), connected: duration(CURLINFO_CONNECT_TIME_T),
            secured: duration(CURLINFO_APPCONNECT_TIME_T), firstByte: duration(CURLINFO_STARTTRANSFER_TIME_T),
            total: duration(CURLINFO_TOTAL_TIME_T))
        return .success(
            HTTPResponse(
                status: number(CURLINFO_RESPONSE_CODE), headers: received.headers, body: received.body, timing: timing))
    }

    private func fault(_ code: CURLcode) -> OutboundFault {
        let requestSent = number(CURLINFO_REQUEST_SIZE) > 0
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            return .resolve
        case CURLE_COULDNT_CONNECT:
            if refusedAnAddress, !triedAnAddress { return .refusedAddress }
            return configuration.proxy == .none ? .connect : .proxy
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY:
            return .proxy
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            return .tls
        case CURLE_SSL_CONNECT_ERROR:
            return .handshake
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            return .otherKey
        case CURLE_OPERATION_TIMEDOUT:
            return .timeout(requestSent: requestSent)
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE, CURLE_HTTP2,
            CURLE_HTTP2_STREAM:
            return tunnelWasRefused ? .proxy : .connectionLost(requestSent: requestSent)
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING:
            // Frames of HTTP/2 answer the request that should have gone over a connection which has ended since.
            return configuration.http2 == .priorKnowledge ? .connectionLost(requestSent: true) : .malformedResponse
        case CURLE_FILESIZE_EXCEEDED:
            return .bodyTooLarge
        default:
            return .other(code: Int(code.rawValue))
        }
    }

    private var tunnelWasRefused: Bool {
        let status = number(CURLINFO_HTTP_CONNECTCODE)
        return status != 0 && !(200...299).contains(status)
    }

    private func number(_ information: CURLINFO) -> Int {
        var value = 0
        return curl_get_long(easy, information, &value) == CURLE_OK ? value : 0
    }

    private func duration(_ information: CURLINFO) -> Duration {
        var microseconds: curl_off_t = 0
        guard curl_get_offset(easy, information, &microseconds) == CURLE_OK else { return .zero }
        return .microseconds(Int64(microseconds))
    }
}
