import LightningCoding
import Receiving
import TemporaryFolders
import Testing

@testable import HookBackend

@Suite("A hook that is a program", .timeLimit(.minutes(1)))
struct ProgramTests {
    private func ask(_ script: String, within time: Duration = .seconds(20)) async throws(BackendFault) -> JSONValue {
        try await ProgramHook(["/bin/sh", "-c", script], environment: [:]).call(.info, JSONObject(), within: time)
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
        await #expect(throws: BackendFault.unreachable("the program has ended")) { try await ask("read line; exit 1") }
    }

    @Test("A program that does not answer is waited for no longer than was said")
    func hangs() async throws {
        await #expect(throws: BackendFault.timedOut) { try await ask("cat >/dev/null", within: .milliseconds(50)) }
    }

    @Test("A line without end ends the program")
    func longLine() async throws {
        await #expect(throws: BackendFault.unreachable("the program has ended")) {
            try await ask("read line; cat /dev/zero")
        }
    }

    @Test("A program that cannot be started is named as that")
    func missing() async throws {
        let hook = ProgramHook(["/no/such/program"], environment: [:])
        await #expect(throws: BackendFault.unreachable("the program cannot be started (error 2)")) {
            try await hook.call(.info, JSONObject(), within: .seconds(1))
        }
    }

    @Test("A program that has ended is started again, not more than once in a second")
    func restarts() async throws {
        let folder = TemporaryFolder()
        let script = "echo x >> \(folder.path)/starts; read line; echo '{\"id\":1,\"result\":1}'"
        let hook = ProgramHook(["/bin/sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"])
        #expect(try await hook.call(.info, JSONObject(), within: .seconds(20)) == 1)
        var fault: BackendFault?
        for _ in 0..<2 {
            do throws(BackendFault) {
                _ = try await hook.call(.info, JSONObject(), within: .seconds(20))
            } catch {
                fault = error
            }
        }
        #expect(fault?.isTransient == true)
    }
}
