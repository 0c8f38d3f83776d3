import LightningCoding
import Platform
import ResponderModel
import TemporaryFolders
import Testing
import Waiting

#if canImport(Glibc)
import Glibc
#endif

@testable import HookBackend

@Suite("A hook that is a program", .timeLimit(.minutes(5)))
struct ProgramTests {
    private func ask(_ script: String, within time: Duration = .seconds(20)) async throws(BackendFault) -> JSONValue {
        try await ProgramHook(["/bin/sh", "-c", script], environment: [:]).call(
            .info, JSONObject(), within: time
        ).result
    }

    @Test("The answer with the question's id counts; other lines are skipped")
    func answers() async throws {
        let lines = [#"{"id":7,"result":1}"#, "not JSON", "[]", #"{"id":1,"result":2}"#]
        let script = "read line; " + lines.map { "echo '\($0)'; " }.joined() + "cat >/dev/null"
        #expect(try await ask(script) == 2)
    }

    @Test("An error is the hook's fault")
    func error() async throws {
        let script = #"read line; echo '{"id":1,"error":{"code":"duplicate"}}'; cat >/dev/null"#
        await #expect(throws: BackendFault.duplicate) { try await ask(script) }
    }

    @Test("A program that ends leaves no question waiting")
    func ends() async throws {
        await #expect(throws: BackendFault.unreachable("the program has exited")) { try await ask("read line; exit 1") }
    }

    @Test("A program that does not answer is waited for no longer than was said")
    func hangs() async throws {
        await #expect(throws: BackendFault.timedOut) { try await ask("cat >/dev/null", within: .milliseconds(50)) }
    }

    @Test("A line that is no response is skipped, however long it is")
    func longNoise() async throws {
        let script = #"read line; head -c 2000000 /dev/zero; echo; echo '{"id":1,"result":2}'; cat >/dev/null"#
        #expect(try await ask(script) == 2)
    }

    @Test("The longest response is read")
    func longest() async throws {
        let spaces = "head -c 1048557 /dev/zero | tr '\\0' ' '"
        let script = #"read line; printf '{"id":1,"result":2'; \#(spaces); echo '}'; cat >/dev/null"#
        #expect(try await ask(script) == 2)
    }

    @Test("Nothing waits for the end of a response without end")
    func endless() async throws {
        await #expect(throws: BackendFault.malformedAnswer("no JSON: it is too long, at byte 1048576")) {
            try await ask("read line; printf '{'; cat /dev/zero")
        }
    }

    @Test(
        "A response that is too long or malformed leaves no question waiting, and the next one is answered",
        arguments: [
            ("printf '{'; head -c 1048576 /dev/zero; echo", "it is too long, at byte 1048576"),
            (#"echo '{"id":1,"result":}'"#, "invalid character, at byte 17"),
        ])
    func unreadable(writing: String, reason: String) async throws {
        let script = #"read line; \#(writing); read line; echo '{"id":2,"result":1}'; cat >/dev/null"#
        let hook = ProgramHook(["/bin/sh", "-c", script], environment: [:])
        await #expect(throws: BackendFault.malformedAnswer("no JSON: " + reason)) {
            try await hook.call(.info, JSONObject(), within: .seconds(60))
        }
        #expect(try await hook.call(.info, JSONObject(), within: .seconds(60)) == .result(1))
    }

    @Test("An unreadable response whose id comes first answers its own question only")
    func unreadableWithID() async throws {
        let script = #"read line; read line; echo '{"id":1,"result":}'; echo '{"id":2,"result":1}'; cat >/dev/null"#
        let hook = ProgramHook(["/bin/sh", "-c", script], environment: [:])
        let answers = await withTaskGroup(of: HookResponse?.self, returning: [HookResponse?].self) { group in
            for _ in 0..<2 {
                group.addTask { try? await hook.call(.info, JSONObject(), within: .seconds(60)) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count { $0 == nil } == 1)
        #expect(answers.count { $0 == .result(1) } == 1)
    }

    @Test("What is meant for a program that has ended reaches no socket that was opened since")
    func endedChild() throws {
        let child = try LineProgram(["/bin/sh", "-c", "exit 0"], environment: [:])
        child.readLines { _ in }
        let pairs = try (0..<64).map { _ in try SocketPair() }
        #expect(!child.send(Array("a preimage".utf8)))
        child.stop()
        for pair in pairs {
            #expect(pair.arrived == [])
            #expect(pair.passes(7))
        }
    }

    @Test("A program blocks no signal when it starts, and ignores no broken pipe")
    func signals() throws {
        let child = try LineProgram(
            ["/bin/sh", "-c", "grep -E '^Sig(Blk|Ign):' /proc/self/status"], environment: ["PATH": "/usr/bin:/bin"])
        var masks: [UInt64] = []
        child.readLines { masks.append(UInt64(String(decoding: $0.suffix(16), as: UTF8.self), radix: 16) ?? .max) }
        #expect(masks.count == 2 && masks.first == 0)
        #expect(masks.last.map { $0 >> UInt64(SIGPIPE - 1) & 1 } == 0)
    }

    @Test("A program that cannot be started is named as that")
    func missing() async throws {
        let hook = ProgramHook(["/no/such/program"], environment: [:])
        await #expect(throws: BackendFault.unreachable("the program cannot be started (error 2)")) {
            try await hook.call(.info, JSONObject(), within: .seconds(60))
        }
    }

    @Test("A program that has ended is started again, not earlier than a second after its last start")
    func restarts() async throws {
        let folder = TemporaryFolder()
        let answering = #"id=${line#*:}; echo "{\"id\":${id%%,*},\"result\":1}""#
        let script = "echo x >> \(folder.path)/starts; read -r line; \(answering)"
        let clock = ManualClock()
        let hook = ProgramHook(["/bin/sh", "-c", script], environment: [:], clock: clock.clock)
        #expect(try await hook.call(.info, JSONObject(), within: .seconds(60)) == .result(1))
        let early = BackendFault.unreachable("the program has exited; it restarts in a second")
        try await eventually {
            do throws(BackendFault) {
                _ = try await hook.call(.info, JSONObject(), within: .seconds(60))
                return false
            } catch {
                #expect(error.isTransient)
                return error == early
            }
        }
        clock.advance(by: .seconds(1) - .nanoseconds(1))
        await #expect(throws: early) { try await hook.call(.info, JSONObject(), within: .seconds(60)) }
        clock.advance(by: .nanoseconds(1))
        #expect(try await hook.call(.info, JSONObject(), within: .seconds(60)) == .result(1))
        #expect(try contentsOfFile(folder.path + "/starts") == Array("x\nx\n".utf8))
    }
}

/// Two sockets that are each other's ends.
private final class SocketPair {
    private let ends: [Int32]

    struct Failed: Error {}

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw Failed() }
        self.ends = ends
    }

    deinit {
        for end in ends { close(end) }
    }

    /// What has come out of either end without anybody's doing.
    var arrived: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 64)
        var found: [UInt8] = []
        for end in ends {
            let count = recv(end, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            found += bytes.prefix(max(0, count))
        }
        return found
    }

    /// Whether a byte still goes through.
    func passes(_ byte: UInt8) -> Bool {
        var sent = byte
        var received: UInt8 = 0
        guard send(ends[0], &sent, 1, Int32(MSG_NOSIGNAL)) == 1 else { return false }
        return recv(ends[1], &received, 1, Int32(MSG_DONTWAIT)) == 1 && received == byte
    }
}
