import ChildProcesses
import Foundation
import LightningCoding
import Platform
import LoopbackServer
import SQLiteLedger
import TemporaryFolders
import Testing

/// A data folder, a reply endpoint, and the built program.
final class RespondFixture: Sendable {
    let temporary = TemporaryFolder()
    let server: LoopbackServer
    private let bodies: Guarded<[[UInt8]]>
    private let number = Guarded(0)

    /// The result of a run.
    struct Ended {
        let status: Int32
        let output: String
        let errors: String

        func json() throws -> JSONValue { try JSONValue(parsing: output) }
    }

    /// - Parameter serve: handles each connection; nil for a service that accepts every reply.
    init(_ serve: (@Sendable (LoopbackConnection) -> Void)? = nil) throws {
        let bodies = Guarded<[[UInt8]]>([])
        self.bodies = bodies
        server = try LoopbackServer(
            raw: serve ?? { connection in
                while let request = connection.readRequest() {
                    bodies.withLock { $0.append(request.body) }
                    connection.write(LoopbackAnswer("").bytes)
                }
            })
    }

    var data: String { temporary.path + "/data" }

    /// The accepted replies.
    var replies: [[UInt8]] { bodies.withLock { $0 } }

    /// The invoices that were sent.
    func sentInvoices() throws -> [String] {
        try replies.compactMap { try JSONValue(parsing: $0)["pr"]?.string }
    }

    func invoiceRequest(_ amount: UInt64 = 21_000) -> String {
        let url = "http://127.0.0.1:\(server.port)/response/\(amount)"
        return #"{"template":"lnurlpay_invoice","data":{"amount":\#(amount),"reply_url":"\#(url)"}}"#
    }

    /// Runs the program with a notification on standard input.
    ///
    /// - Parameter killedAfter: seconds after which it gets SIGKILL.
    func run(_ notification: String, _ arguments: [String] = [], killedAfter: Double? = nil) async throws -> Ended {
        let name =
            temporary.path + "/"
            + String(
                number.withLock {
                    $0 += 1; return $0
                })
        for (ending, text) in [("in", notification), ("out", ""), ("err", "")] {
            try Data(text.utf8).write(to: URL(filePath: "\(name).\(ending)"))
        }
        let respond =
            [
                "--notification", "-", "--data-directory", data, "--replies-allow-loopback",
            ] + arguments
        let program = try Self.program("lightning-respond")
        let status = try await ChildProcess.run(
            killedAfter == nil ? program : "/usr/bin/timeout",
            killedAfter.map { ["--signal=KILL", "\($0)", program] + respond } ?? respond,
            input: name + ".in", output: name + ".out", errors: name + ".err")
        func text(_ ending: String) throws -> String {
            String(decoding: try Data(contentsOf: URL(filePath: "\(name).\(ending)")), as: UTF8.self)
        }
        return Ended(status: status, output: try text("out"), errors: try text("err"))
    }

    func ledger() async throws -> LedgerDatabase { try await LedgerDatabase.open(at: data + "/ledger.sqlite") }

    /// A product is beside the running test.
    static func program(_ name: String) throws -> String {
        let test = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: test).deletingLastPathComponent().appending(path: name).path
    }
}
