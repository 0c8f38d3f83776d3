import LightningCoding

/// Times what runs in this process and prints it as one JSON object, nanoseconds by name: `Scripts/bench` does the rest.
///
/// `responder-bench FOLDER ROUNDS`; files for measuring are made in the folder, which is to lie on the ledger's disk.
@main
struct Command {
    enum Fault: Error {
        case expected(arguments: String)
    }

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 2, let folder = arguments.first, let rounds = arguments.last.flatMap({ Int($0) }),
            rounds > 0
        else { throw Fault.expected(arguments: "FOLDER ROUNDS") }
        var report = JSONObject()
        let measurements = try await InvoiceMeasurements.make() + AnswerMeasurements.make(in: folder)
        for result in try await measurements.timed(rounds: rounds) {
            report.append(result.name, .array(result.nanoseconds.map(JSONValue.unsigned)))
        }
        print(JSONValue.object(report).serialized())
    }
}
