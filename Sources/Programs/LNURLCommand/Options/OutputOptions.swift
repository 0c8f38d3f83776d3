import ArgumentParser
import Doctor
import LightningCoding

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
            return Streams.write(JSONValue.object(object).printable + "\n", to: Streams.output)
        }
        if let file = outcome.file { return Streams.write(file, to: Streams.output) }
        return Streams.write(outcome.page.text(TextStyle(for: Streams.output)), to: Streams.output)
    }

    private func show(_ fault: ToolFault) {
        if json, fault.status != .failedOutput,
            Streams.write(JSONValue.object(fault.json).printable + "\n", to: Streams.output)
        {
            return
        }
        let mark = TextStyle(for: Streams.errors).mark(.failed)
        Streams.write("\(mark) \(fault.reason.printable)\n", to: Streams.errors)
    }
}
