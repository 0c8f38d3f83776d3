import CCurl
import LightningCoding
import Platform

/// An easy handle of libcurl, for one request after the other: making one costs more than a request on it. Confined to the
/// loop's thread.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    private let configuration: HTTPClient.Configuration
    private var fields: TextList?
    private let pins: TextList?

    init(_ configuration: HTTPClient.Configuration) throws(OutboundFault) {
        guard let pointer = curl_easy_init() else { throw .other(code: Int(CURLE_OUT_OF_MEMORY.rawValue)) }
        self.pointer = pointer
        self.configuration = configuration
        pins =
            configuration.pinnedHosts.isEmpty
            ? nil
            : TextList { texts in
                for pin in configuration.pinnedHosts {
                    texts.append("\(pin.host):\(pin.port):\(pin.addresses.joined(separator: ","))")
                }
            }
        try set(CURLOPT_USERAGENT, configuration.userAgent)
        try set(CURLOPT_PATH_AS_IS, 1)
        try set(CURLOPT_NOSIGNAL, 1)
        // Otherwise removing a transfer would wait for a slow resolver, and delay all other transfers.
        try set(CURLOPT_QUICK_EXIT, 1)
        try setSecurity()
        try setRoute()
        try Transfer.setCallbacks(of: self)
        if configuration.countsPlaces { try Transfer.setConnected(of: self) }
    }

    deinit {
        curl_easy_cleanup(pointer)
    }

    /// Sets all that differs from one request to the next, also what the last one has set.
    ///
    /// - Parameter isConnected: whether the host has answered over HTTP/2 on a connection that is still there.
    func prepare(_ submission: Submission, isConnected: Bool) throws(OutboundFault) {
        let request = submission.request
        try set(CURLOPT_URL, request.url.text)
        try setBody(of: request)
        try setFields(of: request)
        try setLimits(of: submission)
        if case .http = configuration.proxy {
            try set(CURLOPT_HTTPPROXYTUNNEL, request.url.scheme == .https ? 1 : 0)
        }
        guard let http2 = configuration.http2 else { return }
        // With prior knowledge, libcurl 7.88 begins HTTP/2 anew on a connection that speaks it already, and fails.
        let begins = http2 == .priorKnowledge && !isConnected
        try set(CURLOPT_HTTP_VERSION, Int(begins ? CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE : CURL_HTTP_VERSION_2TLS))
    }

    func release() {
        curl_set_string(pointer, CURLOPT_COPYPOSTFIELDS, nil)
        curl_set_pointer(pointer, CURLOPT_HTTPHEADER, nil)
        fields = nil
    }

    func setContext(_ context: UnsafeMutableRawPointer) throws(OutboundFault) {
        for option in [
            CURLOPT_PRIVATE, CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_OPENSOCKETDATA, CURLOPT_PREREQDATA,
        ] {
            try check(curl_set_pointer(pointer, option, context))
        }
    }

    func number(_ information: CURLINFO) -> Int {
        var value = 0
        return curl_get_long(pointer, information, &value) == CURLE_OK ? value : 0
    }

    func duration(_ information: CURLINFO) -> Duration {
        var microseconds: curl_off_t = 0
        guard curl_get_offset(pointer, information, &microseconds) == CURLE_OK else { return .zero }
        return .microseconds(Int64(microseconds))
    }

    func set(_ option: CURLoption, _ callback: curl_door_callback) throws(OutboundFault) {
        try check(curl_set_callback(pointer, option, callback))
    }

    func setConnected(_ callback: curl_prereq_callback) throws(OutboundFault) {
        try check(curl_set_prereq(pointer, callback))
    }

    func setOpenSocket(_ callback: curl_opensocket_callback) throws(OutboundFault) {
        try check(curl_set_open_socket(pointer, callback))
    }
}

// MARK: - Of the client

extension EasyHandle {
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
            try set(CURLOPT_CAPATH, nil)
        }
    }

    private func setRoute() throws(OutboundFault) {
        // Set even when empty, or libcurl uses the environment.
        try set(CURLOPT_PROXY, configuration.proxy.text)
        try set(CURLOPT_NOPROXY, "")
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try check(curl_set_pointer(pointer, CURLOPT_RESOLVE, pins?.first))
        guard configuration.http2 != nil else { return }
        // Waits for a connection that is being made, instead of making another.
        try set(CURLOPT_PIPEWAIT, 1)
        try set(CURLOPT_MAXAGE_CONN, 4 * 3600)
    }
}

// MARK: - Of a request

extension EasyHandle {
    private func setBody(of request: HTTPRequest) throws(OutboundFault) {
        try set(CURLOPT_HTTPGET, 1)
        try set(CURLOPT_CUSTOMREQUEST, nil)
        switch request.method {
        case .get: break
        case .head: try set(CURLOPT_NOBODY, 1)
        case .post: try set(CURLOPT_POST, 1)
        case .put, .delete, .options: try set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
        guard request.method == .post || !request.body.isEmpty else { return }
        try check(curl_set_offset(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count)))
        try check(
            request.body.withUnsafeBytes {
                curl_set_pointer(pointer, CURLOPT_COPYPOSTFIELDS, $0.baseAddress ?? UnsafeRawPointer(pointer))
            })
    }

    private func setFields(of request: HTTPRequest) throws(OutboundFault) {
        let fields = TextList { lines in
            // Without this, libcurl waits a second for "100 Continue" before it sends a large body over HTTP/1.1.
            if configuration.http2 == nil { lines.append("Expect:") }
            if let name = request.namedFor { lines.append("Host: ", name.authority) }
            for field in request.headers {
                // In libcurl's syntax "Name:" would remove a field; "Name;" sends it empty.
                lines.append(field.name, field.value.isEmpty ? ";" : ": ", field.value)
            }
        }
        try check(curl_set_pointer(pointer, CURLOPT_HTTPHEADER, fields.first))
        self.fields = fields
    }

    private func setLimits(of submission: Submission) throws(OutboundFault) {
        let left = (submission.deadline - MonotonicTime.now) / .milliseconds(1)
        let connect = configuration.connectTimeout / .milliseconds(1)
        // Zero means no timeout to libcurl, and no limit.
        try set(CURLOPT_TIMEOUT_MS, submission.isStream ? 0 : Int(min(max(left, 1), 86_400_000)))
        try set(CURLOPT_CONNECTTIMEOUT_MS, Int(min(max(min(connect, left), 1), 86_400_000)))
        let isLimited = submission.request.wantsBody && !submission.isStream
        try check(
            curl_set_offset(
                pointer, CURLOPT_MAXFILESIZE_LARGE, isLimited ? curl_off_t(configuration.maximumBodyBytes) : 0))
    }

    private func set(_ option: CURLoption, _ value: Int) throws(OutboundFault) {
        try check(curl_set_long(pointer, option, value))
    }

    private func set(_ option: CURLoption, _ value: String?) throws(OutboundFault) {
        try check(curl_set_string(pointer, option, value))
    }

    private func check(_ code: CURLcode) throws(OutboundFault) {
        guard code == CURLE_OK else { throw .other(code: Int(code.rawValue)) }
    }
}
