#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A connected Unix domain socket owned by one thread: nobody else can close its descriptor or use it afterwards.
struct NodeSocket: ~Copyable {
    enum Outcome {
        /// This many bytes were transferred.
        case done(Int)
        case later
        case over
    }

    let descriptor: Int32

    /// Connects to the socket at a path; blocks while the node's connection queue is full.
    init(connectingTo path: String, within time: Duration) throws(CommandFault) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // A leading zero byte would name an abstract socket, not a file.
        guard let first = path.utf8.first, first != 0 else { throw .unreachable("no such socket") }
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw .unreachable("the socket's path is too long")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = socket(AF_UNIX, StreamSocket.type, 0)
        guard descriptor >= 0 else { throw CommandFault(connecting: errno) }
        StreamSocket.prepare(descriptor)
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

    /// Receives what is available, up to the size of the buffer.
    func receive(into buffer: inout [UInt8]) -> Outcome {
        while true {
            let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count > 0 { return .done(count) }
            if count < 0, errno == EINTR { continue }
            return count < 0 && Self.isPassing(errno) ? .later : .over
        }
    }

    /// Sends as much as possible. A closed connection is a result and raises no signal.
    func send(_ bytes: ArraySlice<UInt8>) -> Outcome {
        while true {
            let count = bytes.withUnsafeBytes { StreamSocket.send($0, over: descriptor) }
            if count >= 0 { return .done(count) }
            if errno == EINTR { continue }
            return Self.isPassing(errno) ? .later : .over
        }
    }

    private static func isPassing(_ number: Int32) -> Bool {
        number == EAGAIN || number == EWOULDBLOCK
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
        case ENOENT: self = .unreachable("no such socket")
        case ECONNREFUSED: self = .unreachable("nothing is listening on the socket")
        case EACCES, EPERM: self = .notPermitted("permission denied for the socket")
        case EAGAIN: self = .unreachable("the node accepts no more connections")
        default: self = .unreachable("the socket does not connect: error \(number)")
        }
    }
}

private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
    connect(descriptor, address, size)
}
