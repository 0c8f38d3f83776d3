import LightningCoding
import Platform
import ResponderModel

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A connected Unix domain socket for one command, owned by one thread.
struct NodeSocket: ~Copyable {
    private let descriptor: Int32

    /// The socket type, with close-on-exec where that can be set at once.
    #if canImport(Glibc)
    private static let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #else
    private static let type = SOCK_STREAM
    #endif

    /// Connects to the socket at a path; blocks while the node's connection queue is full.
    init(connectingTo path: String, within time: Duration) throws(CommandFault) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // A leading zero byte would name an abstract socket, not a file.
        guard let first = path.utf8.first, first != 0 else { throw .backend(.unreachable("no such socket")) }
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw .backend(.unreachable("the socket's path is too long"))
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = socket(AF_UNIX, Self.type, 0)
        guard descriptor >= 0 else { throw CommandFault(connecting: errno) }
        Self.prepare(descriptor)
        Self.limitWaiting(descriptor, to: time)
        let number = Self.connect(descriptor, to: &address)
        guard number == 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
            let fault = CommandFault(connecting: number == 0 ? errno : number)
            close(descriptor)
            throw fault
        }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Sends a request and receives the first object that follows; blocks at most for that time.
    func exchange(
        _ request: [UInt8], within time: Duration, _ splitter: DocumentSplitter
    ) throws(CommandFault) -> [UInt8] {
        let deadline = MonotonicTime.now + time
        var splitter = splitter
        var unsent = request[...]
        var buffer = [UInt8](repeating: 0, count: 1 << 13)
        while true {
            let events = try wait(until: deadline, toSend: !unsent.isEmpty)
            if events & Int16(POLLOUT) != 0 {
                let count = unsent.withUnsafeBytes { Self.send($0, over: descriptor) }
                // When the node reads no more, what it has sent before is read.
                if count >= 0 { unsent = unsent.dropFirst(count) } else if !Self.isPassing(errno) { unsent = [] }
            }
            guard events & ~Int16(POLLOUT) != 0 else { continue }
            let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            guard count > 0 else {
                if count < 0, Self.isPassing(errno) { continue }
                throw splitter.isWithinDocument ? .malformed("an incomplete answer") : .connectionLost
            }
            let documents = try rethrowing(splitter.take(buffer[..<count])) { (fault: DocumentSplitter.Fault) in
                CommandFault.malformed("no JSON: \(fault.reason)")
            }
            if let document = documents.first { return document }
        }
    }

    /// What can be done now, as `poll` tells it.
    private func wait(until deadline: MonotonicTime, toSend isSending: Bool) throws(CommandFault) -> Int16 {
        var watched = pollfd(
            fd: descriptor, events: Int16(POLLIN) | (isSending ? Int16(POLLOUT) : 0), revents: 0)
        let left = (deadline - MonotonicTime.now) / .milliseconds(1)
        guard left > 0 else { throw .backend(.timedOut) }
        return poll(&watched, 1, Int32(min(left.rounded(.up), 60_000))) > 0 ? watched.revents : 0
    }

    private static func isPassing(_ number: Int32) -> Bool {
        number == EAGAIN || number == EWOULDBLOCK || number == EINTR
    }

    /// Sets the remaining options: close-on-exec, and no signal when the peer is gone.
    private static func prepare(_ descriptor: Int32) {
        #if canImport(Darwin)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var isOn: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    /// Sends without raising a signal.
    private static func send(_ bytes: UnsafeRawBufferPointer, over descriptor: Int32) -> Int {
        #if canImport(Darwin)
        systemSend(descriptor, bytes, 0)
        #else
        systemSend(descriptor, bytes, Int32(MSG_NOSIGNAL))
        #endif
    }

    private static func limitWaiting(_ descriptor: Int32, to time: Duration) {
        let (seconds, attoseconds) = time.components
        let microseconds = max(attoseconds / 1_000_000_000_000, seconds == 0 ? 1 : 0)
        var limit = timeval(tv_sec: .init(max(seconds, 0)), tv_usec: .init(microseconds))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// The system's error number; 0 for none.
    private static func connect(_ descriptor: Int32, to address: inout sockaddr_un) -> Int32 {
        while true {
            let result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    systemConnect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            if result == 0 || errno == EISCONN { return 0 }
            if errno != EINTR { return errno }
        }
    }
}

extension CommandFault {
    /// Why connecting to a socket failed.
    ///
    /// - Parameter number: the system's error number.
    init(connecting number: Int32) {
        switch number {
        case ENOENT: self = .backend(.unreachable("no such socket"))
        case ECONNREFUSED: self = .backend(.unreachable("nothing is listening on the socket"))
        case EACCES, EPERM: self = .notPermitted("permission denied for the socket")
        case EAGAIN: self = .backend(.unreachable("the node accepts no more connections"))
        default: self = .backend(.unreachable("the socket does not connect: error \(number)"))
        }
    }
}

private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
    connect(descriptor, address, size)
}

private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ flags: Int32) -> Int {
    send(descriptor, bytes.baseAddress, bytes.count, flags)
}
