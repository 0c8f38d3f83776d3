import BackendContract
import Bolt11
import ChildProcesses
import FakeNode
import Foundation
import LightningCoding
import LightningCrypto
import LoopbackServer
import Platform
import ResponderModel
import TemporaryFolders
@testable import HookBackend

/// The example hook of `Scripts/hook` and the node behind it, which is a file.
final class ExampleFixture: BackendFixture {
    /// How the example is run.
    enum Way: CaseIterable, Sendable {
        case service
        case program
    }

    static let python = "/usr/bin/python3"
    static let isPossible = FileManager.default.isExecutableFile(atPath: python)
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Scripts/hook").standardizedFileURL.path

    private let way: Way
    private let scratch = TemporaryFolder()
    private let server = Guarded<Server?>(nil)
    private let client: FakeHTTPServer

    private struct Server {
        let child: LineProgram
        let port: Int
        let ended: FirstAnswer<Void>
    }

    init(_ way: Way) async throws {
        self.way = way
        client = try FakeHTTPServer()
        client.serve { [server] request, connection in
            // The example closes after each answer.
            guard let port = server.withLock({ $0?.port }) else { return nil }
            Forwarding.answer(to: request, from: UInt16(clamping: port)).map { _ = connection.write($0) }
            return nil
        }
        try Self.write("well", to: mode)
        if way == .service { try await serve(port: 0) }
    }

    deinit {
        server.withLock { $0?.child.stop() }
        client.mode = .gone
    }

    private var mode: String { scratch.path + "/mode" }

    private static func write(_ word: String, to path: String) throws {
        try (word + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    }

    func set(_ trouble: NodeTrouble?) async throws -> Bool {
        switch way {
        case .service: client.set(trouble, denial: LoopbackAnswer(status: 401, #"{"error":{"code":"refused"}}"#))
        case .program: try Self.write(trouble.map { "\($0)" } ?? "well", to: mode)
        }
        return true
    }

    private var state: String { scratch.path + "/state" }

    func connect() async throws -> any ReceiveBackend {
        switch way {
        case .service:
            return try HookedNode(at: .service(HTTPURL("http://127.0.0.1:\(client.port)/hook")))
        case .program:
            let pipe = scratch.path + "/pipe-\(UInt64.random(in: 0 ... .max))"
            let command = ["/bin/sh", "-c", Self.wrapper, mode, pipe, Self.python, Self.folder + "/example.py", state]
            return try HookedNode(at: .program(command, environment: ["PATH": "/usr/bin:/bin"]))
        }
    }

    /// Hands each question on to the example, unless the file `$0` names a trouble; `$1` is the pipe to the example, then comes
    /// how it is run.
    private static let wrapper = #"""
        pipe=$1; python=$2; example=$3; state=$4
        mkfifo "$pipe"; "$python" -B "$example" "$state" < "$pipe" & exec 3> "$pipe"
        while read -r line; do
          read -r mode < "$0"
          while [ "$mode" = silent ]; do sleep 0.02; read -r mode < "$0"; done
          id=${line#*:}; id=${id%%,*}
          case $mode in
            gone) exit 1 ;;
            breakingOff) printf '{"id":%s,' "$id"; exit 1 ;;
            garbage) echo '<html>'; exit 1 ;;
            halfDocument) printf '{"id":%s,"result":{"node' "$id"; exit 1 ;;
            flooding) head -c 100000000 /dev/zero; exit 1 ;;
            denied) echo "{\"id\":$id,\"error\":{\"code\":\"refused\"}}" ;;
            *) printf '%s\n' "$line" >&3 ;;
          esac
        done
        """#

    var now: UnixTime {
        get async {
            let digits = (try? await control("now"))?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
            return UnixTime(UInt64(digits) ?? 0)
        }
    }

    func advance(seconds: UInt64) async throws {
        try await control("advance", "\(seconds)")
    }

    func rebuild() async throws -> Bool {
        try await control("rebuild")
        return true
    }

    func pay(_ bolt11: String, _ amount: Millisatoshi) async throws {
        try await control("pay", Bolt11Invoice(bolt11).paymentHash.hexadecimal, "\(amount.msat)")
    }

    func stop() async throws -> Bool {
        switch way {
        case .service:
            let running = server.withLock { $0 }
            running?.child.stop()
            await running?.ended.value()
        case .program: _ = FileManager.default.createFile(atPath: state + ".gone", contents: nil)
        }
        return true
    }

    func start() async throws {
        switch way {
        case .service: try await serve(port: server.withLock { $0?.port ?? 0 })
        case .program: try FileManager.default.removeItem(atPath: state + ".gone")
        }
    }

    /// Starts the example, whose first line is its port.
    private func serve(port: Int) async throws {
        // It ends with its standard input, and so with this process.
        let child = try LineProgram(
            [
                "/bin/sh", "-c", #""$@" & cat; kill $!; wait"#, "sh", Self.python, "-B", Self.folder + "/example.py",
                state, "\(port)",
            ], environment: ["PATH": "/usr/bin:/bin"])
        let first = FirstAnswer<Int>()
        let ended = FirstAnswer<Void>()
        DispatchQueue(label: "example").async {
            child.readLines { line in first.give(Int(String(decoding: line, as: UTF8.self)) ?? 0) }
            first.give(0)
            ended.give(())
        }
        let started = await first.value()
        server.withLock { $0 = Server(child: child, port: started, ended: ended) }
    }

    @discardableResult
    private func control(_ words: String...) async throws -> String {
        let output = scratch.path + "/output-\(UInt64.random(in: 0 ... .max))"
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        let status = try await ChildProcess.run(
            Self.python, ["-B", Self.folder + "/node.py", state] + words, input: "/dev/null", output: output,
            errors: "/dev/null"
        )
        guard status == 0 else { throw Refusal(status: status) }
        return try String(contentsOfFile: output, encoding: .utf8)
    }

    private struct Refusal: Error {
        let status: Int32
    }
}
