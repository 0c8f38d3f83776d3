#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// How many file descriptors, and so connections, this process may have open.
enum DescriptorLimit {
    /// Raises the limit as far as wanted, up to the hard limit.
    ///
    /// - Returns: the limit now in force; nil when unknown.
    static func raise(to wanted: Int) -> Int? {
        #if canImport(Darwin)
        let resource = RLIMIT_NOFILE
        #else
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return nil }
        guard limit.rlim_cur < wanted else { return Int(clamping: limit.rlim_cur) }
        var raised = limit
        raised.rlim_cur = min(rlim_t(clamping: wanted), limit.rlim_max)
        return Int(clamping: setrlimit(resource, &raised) == 0 ? raised.rlim_cur : limit.rlim_cur)
    }
}
