import Bolt12
import LightningCoding
import OutboundHTTP

/// Times operations in this process and prints one JSON object, nanoseconds by name: `Scripts/bench` does the rest.
///
/// `responder-bench FOLDER ROUNDS`; temporary files are created in the folder, which should be on the ledger's disk.
/// `responder-bench requests OFFER COUNT` prints requests for an offer, for measuring a service.
/// `responder-bench push URL ROUNDS` times pushes to a server of HTTP/2 in the clear.
/// `responder-bench relay WEBHOOK PORT` answers payers from the replies to questions that it posts to that webhook.
@main
struct Command {
    enum Fault: Error {
        case expected(arguments: String)
    }

    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let number = arguments.last.flatMap({ Int($0) }), number > 0 else { throw usage }
        switch arguments.count {
        case 2: try await measure(in: arguments[0], rounds: number)
        case 3 where arguments[0] == "requests": try RequestBatch(for: Offer(arguments[1])).print(number)
        case 3 where arguments[0] == "push": try await measurePushes(to: HTTPURL(arguments[1]), rounds: number)
        case 3 where arguments[0] == "relay": try await BareRelay.run(port: number, webhook: arguments[1])
        default: throw usage
        }
    }

    private static let usage = Fault.expected(
        arguments: "FOLDER ROUNDS, requests OFFER COUNT, push URL ROUNDS, or relay WEBHOOK PORT")

    private static func measurePushes(to server: HTTPURL, rounds: Int) async throws {
        let times = try await PushMeasurements(server).timed(rounds: rounds, pushes: 5_000)
        var report = JSONObject()
        for (name, times) in [("pushes", times.pushes), ("bare", times.bare)] {
            report.append(name, .array(times.wall.map(JSONValue.unsigned)))
            report.append(name + " processor", .array(times.processor.map(JSONValue.unsigned)))
        }
        print(JSONValue.object(report).serialized())
    }

    private static func measure(in folder: String, rounds: Int) async throws {
        var report = JSONObject()
        let measurements =
            try InvoiceMeasurements.make() + OfferMeasurements.make() + HandshakeMeasurements.make()
            + (await AnswerMeasurements.make(in: folder))
        for result in try await measurements.timed(rounds: rounds) {
            report.append(result.name, .array(result.nanoseconds.map(JSONValue.unsigned)))
        }
        print(JSONValue.object(report).serialized())
    }
}
