package import Glibc
import Platform

/// A name server whose answers change: each lookup of a name that a test has set gets the next address, and the last one for
/// good. A name that is set to no address gets no answer until it is set to one. Other names are looked up as ever.
///
/// It stands where the resolver of the system does, in the whole test program: libcurl and everybody else call
/// `getaddrinfo`, and find this one.
enum ChangingNames {
    private static let addresses = Guarded<[String: [String]]>([:])

    static func set(_ name: String, to addresses: [String]) {
        self.addresses.withLock { $0[name] = addresses }
    }

    /// Whether somebody waits for the address of a name.
    static func isAwaited(_ name: String) -> Bool { awaited.withLock { $0.contains(name) } }

    private static let awaited = Guarded<Set<String>>([])

    fileprivate static func next(of name: String) -> String? {
        while addresses.withLock({ $0[name]?.isEmpty ?? false }) {
            awaited.withLock { _ = $0.insert(name) }
            usleep(1000)
        }
        return addresses.withLock { known in
            guard let left = known[name], let first = left.first else { return nil }
            if left.count > 1 { known[name] = Array(left.dropFirst()) }
            return first
        }
    }
}

private typealias Lookup =
    @convention(c) (
        UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<addrinfo>?,
        UnsafeMutablePointer<UnsafeMutablePointer<addrinfo>?>?
    ) -> Int32

/// The next definition of the symbol behind this program's (`RTLD_NEXT`).
private nonisolated(unsafe) let systemLookup = unsafeBitCast(
    dlsym(UnsafeMutableRawPointer(bitPattern: -1), "getaddrinfo"), to: Lookup.self)

/// Takes the place of the system's function of that name.
@_cdecl("getaddrinfo")
package func changingLookup(
    _ name: UnsafePointer<CChar>?, _ service: UnsafePointer<CChar>?, _ hints: UnsafePointer<addrinfo>?,
    _ found: UnsafeMutablePointer<UnsafeMutablePointer<addrinfo>?>?
) -> Int32 {
    guard let name, let address = ChangingNames.next(of: String(cString: name)) else {
        return systemLookup(name, service, hints, found)
    }
    return address.withCString { systemLookup($0, service, hints, found) }
}
