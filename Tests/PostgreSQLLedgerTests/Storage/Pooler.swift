import ChildProcesses
import Platform
import PostgreSQLCluster
import TemporaryFolders

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A pgbouncer in front of a cluster.
final class Pooler: Sendable {
    static var isInstalled: Bool { access("/usr/sbin/pgbouncer", X_OK) == 0 }

    let port: Int
    private let folder = TemporaryFolder()
    private let process: BackgroundProcess

    init(mode: String, in cluster: PostgreSQLCluster) throws {
        port = try PostgreSQLCluster.freePort()
        let settings = """
            [databases]
            * = host=\(cluster.folder.path) port=\(cluster.port) user=postgres
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(port)
            unix_socket_dir =
            auth_type = any
            pool_mode = \(mode)
            default_pool_size = 4
            \(getuid() == 0 ? "user = postgres" : "")
            """
        try writeFile(settings.utf8, to: folder.path + "/settings", mode: 0o644)
        try writeFile([], to: folder.path + "/log")
        chmod(folder.path, 0o755)
        process = try BackgroundProcess(
            "/usr/sbin/pgbouncer", [folder.path + "/settings"], output: folder.path + "/log")
    }
}

/// Counts from any thread.
final class Counter: Sendable {
    private let number = Guarded(0)

    var value: Int { number.withLock { $0 } }

    func count() {
        number.withLock { $0 += 1 }
    }
}
