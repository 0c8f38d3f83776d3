import CCurl
import LightningCoding
import Platform

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// One request on an easy handle, with what was received so far. Confined to the loop's thread.
final class Transfer {
    let id: TransferID
    let easy: EasyHandle
    /// Host and port of the request.
    let host: String
    private let configuration: HTTPClient.Configuration
    private var received = ReceivedResponse()
    private let pipe: StreamPipe?
    private var isHeadDelivered = false
    private var refusedAnAddress = false
    private var triedAnAddress = false
    private let networks: SharedSlots
    private let answeredIn: Set<IPAddress>
    private(set) var isResolved = false
    /// Its slots, by the network.
    private var slots: [IPAddress: SharedSlots.Slot] = [:]
    /// The network of the address that it has tried last: once it has a connection, that of the connection.
    private(set) var network: IPAddress?
    private var isOneTooMany = false

    /// - Parameters:
    ///   - isConnected: whether the host has answered over HTTP/2 on a connection that is still there.
    ///   - answeredIn: the networks from which it has answered at that port: there it has places with others that have.
    init(
        _ submission: Submission, _ configuration: HTTPClient.Configuration, _ networks: SharedSlots,
        on easy: EasyHandle, isConnected: Bool, answeredIn: Set<IPAddress>
    ) throws(OutboundFault) {
        id = submission.id
        self.networks = networks
        self.answeredIn = answeredIn
        self.easy = easy
        self.configuration = configuration
        host = submission.host
        if case .stream(let pipe) = submission.receiver { self.pipe = pipe } else { pipe = nil }
        received.maximumHeaderBytes = configuration.maximumHeaderBytes
        received.maximumBodyBytes = configuration.maximumBodyBytes
        received.wantsBody = submission.request.wantsBody
        try easy.prepare(submission, isConnected: isConnected)
        try easy.setContext(Unmanaged.passUnretained(self).toOpaque())
    }

    static func setCallbacks(of easy: EasyHandle) throws(OutboundFault) {
        try easy.set(CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
            Transfer.at(context)?.takeHeader(UnsafeRawBufferPointer(start: bytes, count: count)) ?? 0
        }
        try easy.set(CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
            Transfer.at(context)?.takeBody(UnsafeRawBufferPointer(start: bytes, count: count)) ?? 0
        }
        try easy.setOpenSocket { context, _, address in
            guard let transfer = Transfer.at(context), let address else { return CURL_SOCKET_BAD }
            return transfer.openSocket(to: address)
        }
    }

    /// Sets what libcurl calls when a transfer has a connection, a new one or one that is used again.
    static func setConnected(of easy: EasyHandle) throws(OutboundFault) {
        try easy.setConnected { context, address, _, _, _ in
            guard let transfer = Transfer.at(context), let address else { return CURL_PREREQFUNC_OK }
            guard let ip = IPAddress(String(cString: address)) else { return CURL_PREREQFUNC_OK }
            return transfer.mayUse(ip) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }
    }

    /// Takes a place in the address's network, unless the transfer has one.
    private func mayUse(_ address: IPAddress) -> Bool {
        isResolved = true
        guard configuration.countsPlaces, configuration.proxy == .none else { return true }
        let most = configuration.maximumConcurrencyPerNetwork
        let network = address.ownersNetwork
        self.network = network
        if slots[network] == nil {
            let name = answeredIn.contains(network) ? "known \(network)" : "\(network)"
            slots[network] = try? networks.take(for: nil, [.most(most, of: name)])
        }
        guard slots[network] == nil else { return true }
        isOneTooMany = true
        return false
    }

    func leave() {
        slots = [:]
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
        let status = easy.number(CURLINFO_RESPONSE_CODE)
        guard let pipe, !isHeadDelivered, status >= 200 else { return }
        isHeadDelivered = true
        _ = pipe.write(.head(status: status, headers: received.headers))
    }

    func resume() {
        curl_easy_pause(easy.pointer, CURLPAUSE_CONT)
    }

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
        if configuration.proxy == .none, configuration.addressPolicy.scope != .any || configuration.countsPlaces {
            // The field begins a larger structure: take its address, not its value.
            let start = UnsafeRawPointer(address) + (MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0)
            guard let ip = IPAddress(start, family: address.pointee.family),
                configuration.addressPolicy.permits(ip)
            else {
                (isResolved, refusedAnAddress) = (true, true)
                return CURL_SOCKET_BAD
            }
            guard mayUse(ip) else { return CURL_SOCKET_BAD }
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
}

// MARK: - Outcome

extension Transfer {
    /// The outcome of the request, once libcurl has finished it.
    func outcome(_ code: CURLcode) -> Result<HTTPResponse, OutboundFault> {
        if let fault = received.fault { return .failure(fault) }
        if isOneTooMany, code == CURLE_COULDNT_CONNECT || code == CURLE_ABORTED_BY_CALLBACK {
            return .failure(.overloaded)
        }
        let isAnswered = !received.wantsBody && received.isHeaderComplete
        guard code == CURLE_OK || isAnswered else { return .failure(fault(code)) }
        // libcurl accepts a truncated header section.
        guard received.isHeaderComplete else { return .failure(.connectionLost(requestSent: true)) }
        guard configuration.http2 == nil || easy.number(CURLINFO_HTTP_VERSION) == CURL_HTTP_VERSION_2_0 else {
            return .failure(.malformedResponse)
        }
        let timing = HTTPTiming(
            resolved: easy.duration(CURLINFO_NAMELOOKUP_TIME_T), connected: easy.duration(CURLINFO_CONNECT_TIME_T),
            secured: easy.duration(CURLINFO_APPCONNECT_TIME_T), firstByte: easy.duration(CURLINFO_STARTTRANSFER_TIME_T),
            total: easy.duration(CURLINFO_TOTAL_TIME_T))
        return .success(
            HTTPResponse(
                status: easy.number(CURLINFO_RESPONSE_CODE), headers: received.headers, body: received.body,
                timing: timing))
    }

    private func fault(_ code: CURLcode) -> OutboundFault {
        let requestSent = easy.number(CURLINFO_REQUEST_SIZE) > 0
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            return .resolve
        case CURLE_COULDNT_CONNECT:
            if refusedAnAddress, !triedAnAddress { return .refusedAddress }
            return configuration.proxy == .none ? .connect : .proxy
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY:
            return .proxy
        case CURLE_PEER_FAILED_VERIFICATION:
            return .tls(CertificateFault(verification: easy.number(CURLINFO_SSL_VERIFYRESULT)))
        case CURLE_SSL_CACERT_BADFILE:
            return .tls(.unreadableAuthorities)
        case CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            return .tls(.other)
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
        let status = easy.number(CURLINFO_HTTP_CONNECTCODE)
        return status != 0 && !(200...299).contains(status)
    }
}

extension IPAddress {
    /// The first 24 bits of an IPv4 address, 48 of an IPv6 address: what one owner of names can easily have.
    var ownersNetwork: IPAddress {
        let address = withoutMapping
        return address.masked(to: address.width == 32 ? 24 : 48)
    }
}

extension CertificateFault {
    /// By the code of OpenSSL (`X509_V_ERR_…`); 0 or 1 when the chain is right, and libcurl refused the
    /// name.
    fileprivate init(verification code: Int) {
        self =
            switch code {
            case 0, 1, 62: .otherName
            case 9: .notYetValid
            case 10: .expired
            case 18: .selfSigned
            case 19: .unknownAuthority
            case 2, 20, 21: .unknownIssuer
            default: .other
            }
    }
}
