import ArgumentParser
import Doctor
import LightningCoding
import Platform

struct OutputOptions: ParsableArguments {
    @Flag(help: "Print one JSON object, on success and on failure.")
    var json = false

    /// Runs a command, prints its outcome or fault, and exits with its status, or with that of a failed output.
    func print(_ command: () async throws -> Outcome) async throws {
        do {
            let outcome = try await command()
            guard show(outcome) else { throw ToolFault.outputFailed }
            guard outcome.status == .ok else { throw ExitCode(outcome.status.rawValue) }
        } catch let fault as ToolFault {
            show(fault)
            throw ExitCode(fault.status.rawValue)
        }
    }

    private func show(_ outcome: Outcome) -> Bool {
        if json {
            var object: JSONObject = ["ok": .bool(outcome.status == .ok)]
            for member in outcome.json.members { object.append(member.key, member.value) }
            return StandardStream.output.write(JSONValue.object(object).printable + "\n")
        }
        if let file = outcome.file { return StandardStream.output.write(file) }
        return StandardStream.output.write(outcome.page.text(TextStyle(for: .output)))
    }

    private func show(_ fault: ToolFault) {
        if json, fault.status != .failedOutput,
            StandardStream.output.write(JSONValue.object(fault.json).printable + "\n")
        {
            return
        }
        let mark = TextStyle(for: .error).mark(.failed)
        StandardStream.error.write("\(mark) \(fault.reason.printable)\n")
    }
}
