import Bolt12
import LightningCoding

/// `responder-bench ROUNDS` times operations in this process and prints one JSON object, nanoseconds of processor time by name:
/// `Scripts/bench` does the rest.
///
/// `responder-bench requests OFFER COUNT` prints requests for an offer, for measuring a service.
/// `responder-bench http PORT` answers each request with the same text.
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
        case 1: try measure(rounds: number)
        case 2 where arguments[0] == "http": try await BareServer.run(port: number)
        case 3 where arguments[0] == "requests": try RequestBatch(for: Offer(arguments[1])).print(number)
        case 3 where arguments[0] == "push": try await measurePushes(to: HTTPURL(arguments[1]), rounds: number)
        case 3 where arguments[0] == "relay": try await BareRelay.run(port: number, webhook: arguments[1])
        default: throw usage
        }
    }

    private static let usage = Fault.expected(
        arguments: "ROUNDS, requests OFFER COUNT, http PORT, push URL ROUNDS, or relay WEBHOOK PORT")

    private static func measurePushes(to server: HTTPURL, rounds: Int) async throws {
        let times = try await PushMeasurements(server).timed(rounds: rounds, pushes: 5_000)
        var report = JSONObject()
        for (name, times) in [("pushes", times.pushes), ("bare", times.bare)] {
            report.append(name, .array(times.wall.map(JSONValue.unsigned)))
            report.append(name + " processor", .array(times.processor.map(JSONValue.unsigned)))
        }
        print(JSONValue.object(report).serialized())
    }

    private static func measure(rounds: Int) throws {
        var report = JSONObject()
        let measurements = try Measurement.invoices() + Measurement.offers() + Measurement.handshakes()
        for result in try measurements.timed(rounds: rounds) {
            report.append(result.name, .array(result.nanoseconds.map(JSONValue.unsigned)))
        }
        print(JSONValue.object(report).serialized())
    }
}
