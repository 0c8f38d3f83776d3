import CCurl

/// Pushes by plain libcurl over one HTTP/2 connection, through the same gate: the first goes alone, since only its answer
/// tells how many a server takes at once. `Scripts/bench` measures the providers beside it.
final class BarePush {
    enum Fault: Error {
        case failed(CURLcode)
        case status(Int)
    }

    private let multi = curl_multi_init()
    private let url: String
    private let body: String
    private let headers: UnsafeMutablePointer<curl_slist>?
    private var idle: [UnsafeMutableRawPointer] = []
    private var isOpen = false

    init(to url: String, headers: [String], body: String) {
        self.url = url
        self.body = body
        self.headers = headers.reduce(nil) { curl_slist_append($0, $1) }
        curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, 1)
    }

    /// Sends so many, at most `most` at a time.
    func send(_ count: Int, atOnce most: Int) throws {
        var (begun, inFlight) = (0, 0)
        while begun < count || inFlight > 0 {
            while begun < count, inFlight < (isOpen ? most : 1) {
                begin()
                begun += 1
                inFlight += 1
            }
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            let ended = try finish()
            inFlight -= ended
            if ended == 0 { curl_multi_poll(multi, nil, 0, 1000, nil) }
        }
    }

    private func begin() {
        guard let handle = idle.popLast() ?? made() else { return }
        // libcurl 7.88 takes the preface of HTTP/2 on a connection that has it for a fault.
        curl_set_long(
            handle, CURLOPT_HTTP_VERSION, Int(isOpen ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE))
        curl_multi_add_handle(multi, handle)
    }

    private func made() -> UnsafeMutableRawPointer? {
        guard let handle = curl_easy_init() else { return nil }
        curl_set_string(handle, CURLOPT_URL, url)
        curl_set_pointer(handle, CURLOPT_HTTPHEADER, headers)
        curl_set_string(handle, CURLOPT_COPYPOSTFIELDS, body)
        curl_set_long(handle, CURLOPT_PIPEWAIT, 1)
        // As any program with threads must: without it, libcurl changes the handler of SIGPIPE for each step.
        curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        curl_set_callback(handle, CURLOPT_WRITEFUNCTION) { _, size, count, _ in size * count }
        return handle
    }

    private func finish() throws -> Int {
        var (ended, left) = (0, Int32(0))
        while let message = curl_multi_info_read(multi, &left) {
            guard let handle = message.pointee.easy_handle else { continue }
            let result = message.pointee.data.result
            guard result == CURLE_OK else { throw Fault.failed(result) }
            var status = 0
            curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
            guard status == 200 else { throw Fault.status(status) }
            curl_multi_remove_handle(multi, handle)
            idle.append(handle)
            isOpen = true
            ended += 1
        }
        return ended
    }

    deinit {
        for handle in idle { curl_easy_cleanup(handle) }
        curl_multi_cleanup(multi)
        curl_slist_free_all(headers)
    }
}
