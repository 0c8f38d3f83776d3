import ChildProcesses
package import TemporaryFolders

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A PostgreSQL server of the test's own, in a temporary folder. It ends with this process, however that ends.
///
/// As root it runs as the user `postgres`, since it refuses to run as root.
package final class PostgreSQLCluster: Sendable {
    /// Its folder, with the socket and, for TLS, `server.crt`, which is its own authority and names `localhost`.
    package let folder: TemporaryFolder
    /// Its port on 127.0.0.1.
    package let port: Int
    private let lifeline: Int32

    /// The server could not be made or started.
    package struct Failure: Error, CustomStringConvertible {
        /// What its programs said.
        package let description: String
    }

    /// Why there can be no server; nil when PostgreSQL is installed.
    package static let missing: String? =
        programs == nil ? "PostgreSQL is not installed (Debian: postgresql-15)" : nil

    /// Whether the tests that need a server are run: where PostgreSQL is installed, or where it must be, and its absence is
    /// a failure (`REQUIRE_POSTGRESQL`, which `Scripts/test` sets).
    package static var isWanted: Bool { missing == nil || getenv("REQUIRE_POSTGRESQL") != nil }

    /// Whether a disk of limited size can be mounted for a server.
    package static let canLimitDisks: Bool = {
        #if os(Linux)
        let folder = TemporaryFolder()
        guard mount("tmpfs", folder.path, "tmpfs", 0, "size=1m") == 0 else { return false }
        return umount(folder.path) == 0
        #else
        return false
        #endif
    }()

    /// The server that tests share which do it no harm.
    package static func shared() async throws -> PostgreSQLCluster { try await started.value }

    private static let started = Task { try await PostgreSQLCluster() }

    /// The folder of the newest installed version's programs.
    private static let programs: String? = {
        let root = "/usr/lib/postgresql"
        let versions = TemporaryFolder.names(in: root).compactMap { Int($0) }.filter { $0 >= 14 }
        return versions.max().map { "\(root)/\($0)/bin" }
    }()

    /// Makes and starts a server.
    ///
    /// - Parameters:
    ///   - settings: further lines of `postgresql.conf`.
    ///   - megabytes: the size of the disk that holds its tables; nil for no limit. Needs root, and the log stays elsewhere.
    package init(settings: String = "", megabytes: Int? = nil) async throws {
        guard let programs = Self.programs else { throw Failure(description: Self.missing ?? "") }
        folder = TemporaryFolder()
        port = try Self.freePort()
        guard mkfifo(folder.path + "/lifeline", 0o600) == 0 else { throw Failure(description: "no lifeline") }
        // Whoever reads it reaches its end when this process ends.
        lifeline = open(folder.path + "/lifeline", O_RDWR | O_CLOEXEC)
        try await Self.shell(
            Self.making, [folder.path, programs, String(port), settings, megabytes.map(String.init) ?? ""],
            in: folder)
        try await start()
    }

    deinit {
        close(lifeline)
    }

    /// Starts it again.
    package func start() async throws {
        guard let programs = Self.programs else { throw Failure(description: Self.missing ?? "") }
        try await Self.shell(Self.starting, [folder.path, programs, String(port)], in: folder)
    }

    /// Ends it at once, as a failure of its machine would.
    package func crash() throws {
        let text = String(decoding: try contentsOfFile(folder.path + "/data/postmaster.pid"), as: UTF8.self)
        guard let process = text.split(separator: "\n").first.flatMap({ pid_t($0) }) else {
            throw Failure(description: "no process")
        }
        guard kill(process, SIGKILL) == 0 else { throw Failure(description: "no such process") }
    }

    /// Runs a statement by `psql` as the superuser.
    @discardableResult
    package func psql(_ sql: String, in database: String = "postgres") async throws -> String {
        guard let programs = Self.programs else { throw Failure(description: Self.missing ?? "") }
        return try await Self.shell(
            #"exec "$2/psql" -X -q -A -t -v ON_ERROR_STOP=1 -h "$1" -p "$3" -U postgres -d "$4" -c "$5""#,
            [folder.path, programs, String(port), database, sql], in: folder)
    }

    /// Where a database is, over the socket.
    package func url(_ database: String) -> String {
        "postgresql:///\(database)?host=\(folder.path)&port=\(port)&user=postgres"
    }

    /// Where a database is, over TCP.
    package func url(_ database: String, at port: Int, parameters: String = "") -> String {
        "postgresql://postgres@127.0.0.1:\(port)/\(database)?sslmode=disable\(parameters)"
    }

    /// A new database, empty or like another one to which nobody is connected.
    package func makeDatabase(like template: String = "template0") async throws -> String {
        let name = "test_\(UInt64.random(in: 0...(.max)))"
        try await psql("CREATE DATABASE \(name) TEMPLATE \(template) STRATEGY file_copy")
        return name
    }

    /// - Returns: what it printed.
    @discardableResult
    private static func shell(
        _ script: String, _ arguments: [String], in folder: TemporaryFolder
    ) async throws -> String {
        let name = "\(folder.path)/\(UInt64.random(in: 0...(.max)))"
        try writeFile([], to: name + ".out")
        try writeFile([], to: name + ".err")
        defer {
            unlink(name + ".out")
            unlink(name + ".err")
        }
        let status = try await ChildProcess.run(
            "/bin/sh", ["-c", script, "sh"] + arguments, environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
            input: "/dev/null", output: name + ".out", errors: name + ".err")
        guard status == 0 else {
            throw Failure(description: String(decoding: try contentsOfFile(name + ".err"), as: UTF8.self))
        }
        return String(decoding: try contentsOfFile(name + ".out"), as: UTF8.self)
    }

    /// A port that nobody listens at.
    package static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isBound else { throw Failure(description: "no free port") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}

extension PostgreSQLCluster {
    private static let asServer = """
        as_server() {
            if [ "$(id -u)" = 0 ]; then setpriv --reuid=postgres --regid=postgres --clear-groups -- "$@"; else "$@"; fi
        }

        """

    /// Nothing waits for the disk: what a loss of power would do is not tested. A process of its own waits for the end of
    /// the lifeline, ends the server and removes the folder.
    private static let making =
        asServer + #"""
            set -e
            folder=$1 programs=$2 port=$3 settings=$4 megabytes=$5
            exec 1>&2
            chmod 755 "$folder"
            mkdir "$folder/data" "$folder/log"
            [ -z "$megabytes" ] || mount -t tmpfs -o "size=${megabytes}m" tmpfs "$folder/data"
            [ "$(id -u)" != 0 ] || chown postgres:postgres "$folder" "$folder/data" "$folder/log"
            chmod 700 "$folder/data"
            cd "$folder"
            as_server "$programs/initdb" --pgdata="$folder/data" ${megabytes:+--waldir="$folder/wal"} \
                --username=postgres --auth=trust --no-sync --encoding=UTF8 --locale=C --no-instructions
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
                -addext subjectAltName=DNS:localhost -keyout "$folder/data/server.key" -out "$folder/data/server.crt"
            cp "$folder/data/server.crt" "$folder/server.crt"
            chmod 600 "$folder/data/server.key"
            [ "$(id -u)" != 0 ] || chown postgres:postgres "$folder/data/server.key" "$folder/data/server.crt"
            cat >>"$folder/data/postgresql.conf" <<END
            fsync = off
            full_page_writes = off
            max_connections = 400
            shared_buffers = 64MB
            listen_addresses = '127.0.0.1'
            port = $port
            unix_socket_directories = '$folder'
            dynamic_shared_memory_type = mmap
            ssl = on
            log_min_messages = fatal
            $settings
            END
            cat >"$folder/data/pg_hba.conf" <<END
            host all guarded all scram-sha-256
            local all all trust
            host all all 127.0.0.1/32 trust
            host all all ::1/128 trust
            END
            setsid -- sh -c "$(cat <<'END'
            trap '' HUP INT TERM
            read _ <"$1/lifeline"
            kill -9 $(head -n 1 "$1/data/postmaster.pid") 2>/dev/null
            umount -l "$1/data" 2>/dev/null
            rm -rf "$1"
            END
            )" sh "$folder" >/dev/null 2>&1 </dev/null &
            """#

    private static let starting =
        asServer + #"""
            folder=$1 programs=$2
            cd "$folder"
            # After a crash the old processes may need a moment to notice that their server is gone.
            for attempt in 1 2 3 4 5 6 7 8 9 10; do
                as_server "$programs/pg_ctl" start -w -t 60 -D "$folder/data" -l "$folder/log/server" \
                    >"$folder/started" 2>&1 && exit 0
                sleep 0.2
            done
            cat "$folder/started" "$folder/log/server" >&2
            exit 1
            """#
}
