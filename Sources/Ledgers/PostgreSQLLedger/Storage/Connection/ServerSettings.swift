package import ResponderModel
import CPostgreSQL
import LightningCoding
import Platform

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Where the server is and how it is spoken to, as libpq's parameters.
///
/// What the URL leaves out comes from the `PG…` variables of the environment and `.pgpass`, as for every program that uses
/// libpq.
package struct ServerSettings: Hashable, Sendable {
    /// The parameters given to libpq, without a password.
    private(set) var parameters: [String: String]
    private let passwordFile: String?
    /// Keeps the connections off a server that a failover has left behind.
    var history: ServerHistory?

    /// Reads a connection URL (PostgreSQL 15, 34.1.1.2 Connection URIs).
    ///
    /// A server elsewhere must prove its name by its certificate (`sslmode=verify-full`), unless the URL or the
    /// environment says otherwise: libpq's own standard checks nothing.
    ///
    /// - Parameters:
    ///   - url: `postgresql://host/database`; several hosts, separated by commas, are tried in turn until one accepts
    ///     writes.
    ///   - passwordFile: a file with the password, which only its owner may open.
    ///   - historyFile: remembers the timeline of the server, so that one that a failover has left behind is refused when
    ///     it comes back; nil remembers it while the settings are in use.
    /// - Throws: `settings`.
    package init(url: String, passwordFile: String? = nil, historyFile: String? = nil) throws(LedgerFault) {
        try self.init(url: url, passwordFile: passwordFile, standard: Self.environmentAndStandard())
        history = ServerHistory(file: historyFile)
    }

    /// - Parameter standard: what libpq would take where the URL says nothing.
    init(url: String, passwordFile: String?, standard: [String: String]) throws(LedgerFault) {
        var parameters = try Self.parse(url)
        for secret in ["password", "sslpassword"] where parameters[secret] != nil {
            throw .settings("a password does not belong into the URL: put it into a file that only its owner may open")
        }
        if let other = parameters.keys.sorted().first(where: { !Self.allowed.contains($0) }) {
            throw .settings("the PostgreSQL URL must not have the parameter \(other)")
        }
        for (name, words) in Self.refused where standard[name]?.isEmpty == false { throw .settings(words) }
        if Self.isElsewhere(parameters["hostaddr"] ?? parameters["host"] ?? standard["hostaddr"] ?? standard["host"]),
            parameters["sslmode"] == nil, standard["sslmode"] == "prefer"
        {
            parameters["sslmode"] = "verify-full"
        }
        if parameters["sslmode"]?.hasPrefix("verify") == true,
            parameters["sslrootcert"] == nil, standard["sslrootcert"] == nil, !Self.hasOwnRootCertificate,
            let system = Self.systemCertificates.first(where: { access($0, R_OK) == 0 })
        {
            parameters["sslrootcert"] = system
        }
        for (name, value) in Self.ours
        where parameters[name] == nil && (standard[name] ?? Self.any[name]) == Self.any[name] {
            parameters[name] = value
        }
        parameters["client_encoding"] = "UTF8"
        self.parameters = parameters
        self.passwordFile = passwordFile
    }

    /// The same for each host alone: libpq would stay with the first that takes writes.
    var hosts: [ServerSettings] {
        let lists = ["host", "hostaddr", "port"].compactMap { name in
            parameters[name].map { (name, $0.split(separator: ",", omittingEmptySubsequences: false)) }
        }
        let count = lists.filter { $0.0 != "port" }.map(\.1.count).max() ?? 1
        return (0..<max(count, 1)).map { index in
            var host = self
            for (name, values) in lists where count > 1 {
                // One port is for all hosts.
                host.parameters[name] = String(values[values.count == 1 ? 0 : min(index, values.count - 1)])
            }
            return host
        }
    }

    package var hostCount: Int { hosts.count }

    /// A parameter as it is given to libpq; nil when libpq decides.
    package func parameter(_ name: String) -> String? { parameters[name] }

    /// What a URL may say: where the server is, who asks, and how the connection is kept and protected. A service file would
    /// name another server after its protection was decided, `options` would undo the session's settings, and
    /// `client_encoding` the encoding.
    private static let allowed: Set<String> = [
        "host", "hostaddr", "port", "dbname", "user", "passfile", "application_name", "fallback_application_name",
        "sslmode", "sslrootcert", "sslcert", "sslkey", "sslcrl", "sslcrldir", "sslsni", "sslcompression",
        "ssl_min_protocol_version", "ssl_max_protocol_version", "channel_binding", "requirepeer", "gssencmode",
        "krbsrvname", "gsslib", "connect_timeout", "tcp_user_timeout", "keepalives", "keepalives_idle",
        "keepalives_interval", "keepalives_count", "target_session_attrs",
    ]

    /// What may not come from the environment either. A service file has options of its own.
    private static let refused = [
        ("service", "unset PGSERVICE: a service file would name another server"),
        ("options", "unset PGOPTIONS: it would undo the settings of the session"),
    ]

    /// What replaces libpq's own standards.
    private static let ours = [
        "connect_timeout": "3", "keepalives_idle": "10", "tcp_user_timeout": "10000",
        "target_session_attrs": "read-write",
    ]

    private static let any = ["target_session_attrs": "any"]

    private static let systemCertificates = ["/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/cert.pem"]

    /// Connects; blocks, at most for some seconds for each address.
    func connect() throws(LedgerFault) -> OpaquePointer {
        var parameters = parameters
        if let passwordFile {
            let bytes = try rethrowing(PrivateFile(path: passwordFile).contents(limit: 4096)) {
                (fault: PrivateFileFault) in LedgerFault.settings("\(passwordFile): \(fault.reason)")
            }
            parameters["password"] = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }
        let names = parameters.keys.map { strdup($0) }
        let values = parameters.values.map { strdup($0) }
        defer { for text in names + values { free(text) } }
        let connection = PQconnectdbParams(
            names.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 0)
        guard let connection else { throw .unreachable("out of memory") }
        guard PQstatus(connection) == CONNECTION_OK else {
            let fault = Self.fault(PQerrorMessage(connection).map { String(cString: $0) } ?? "")
            PQfinish(connection)
            throw fault
        }
        return connection
    }

    /// libpq names hosts, users and databases in its messages, and no password.
    private static func fault(_ message: String) -> LedgerFault {
        let lines = message.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " || $0 == "\t" } }
        if lines.contains(where: { $0.hasSuffix("session is read-only") || $0.hasSuffix("hot standby mode") }) {
            return .readOnly
        }
        return .unreachable(lines.joined(separator: "; "))
    }

    private static func parse(_ url: String) throws(LedgerFault) -> [String: String] {
        guard url.hasPrefix("postgresql://") || url.hasPrefix("postgres://"), !url.utf8.contains(0) else {
            throw .settings("a PostgreSQL URL begins with postgresql://")
        }
        var message: UnsafeMutablePointer<CChar>?
        // libpq's message may quote a password.
        defer { PQfreemem(message) }
        guard let options = PQconninfoParse(url, &message) else { throw .settings("the PostgreSQL URL is not valid") }
        return values(of: options)
    }

    private static func environmentAndStandard() -> [String: String] {
        PQconndefaults().map(values) ?? [:]
    }

    /// The values that are set, by keyword. Frees the options.
    private static func values(of options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let name = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: name)] = String(cString: value) }
            option += 1
        }
        return values
    }

    /// Whether any of the hosts is another machine.
    private static func isElsewhere(_ hosts: String?) -> Bool {
        (hosts ?? "").split(separator: ",").contains { host in
            !host.hasPrefix("/") && !host.hasPrefix("@") && !host.hasPrefix("127.") && host != "::1"
                && host != "localhost"
        }
    }

    private static var hasOwnRootCertificate: Bool {
        guard let home = getenv("HOME") else { return false }
        return access(String(cString: home) + "/.postgresql/root.crt", R_OK) == 0
    }
}
