import LightningCoding

/// Times what runs in this process and prints it as one JSON object, nanoseconds by name: `Scripts/bench` does the rest.
///
/// `responder-bench FOLDER ROUNDS`; files for measuring are made in the folder, which is to lie on the ledger's disk.
@main
struct Command {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 2, let folder = arguments.first, let rounds = arguments.last.flatMap({ Int($0) }),
            rounds > 0
        else {
            print("usage: responder-bench FOLDER ROUNDS")
            return
        }
        var report = JSONObject()
        let measurements = try InvoiceMeasurements.make()
        for result in try await measurements.timed(rounds: rounds) {
            report.append(result.name, .array(result.nanoseconds.map(JSONValue.unsigned)))
        }
        let disk = try DiskMeasurement.timed(writes: rounds * 50, in: folder)
        report.append("fdatasync", .array(disk.map(JSONValue.unsigned)))
        print(JSONValue.object(report).serialized())
    }
}
