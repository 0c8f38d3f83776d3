import ResponderCore
import ServiceSetup
import Settings
import Platform
import Notifications
import LNURL
import LightningCoding
import Contracts
import SQLiteLedger

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The program behind `lightning-responder respond`: one notification, one reply, then it exits.
@main
struct Respond {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        do throws(CommandFailure) {
            let arguments = try RespondArguments(words)
            if arguments.wantsHelp {
                StandardStream.output.write(RespondHelp.text)
                exit(0)
            }
            if arguments.wantsVersion {
                StandardStream.output.write(SoftwareVersion.text + "\n")
                exit(0)
            }
            let report = try await respond(arguments)
            StandardStream.output.write(arguments.isJSON ? report.json.serialized() + "\n" : report.text)
            exit(report.status?.rawValue ?? 0)
        } catch {
            if words.contains("--json") {
                StandardStream.output.write(error.json.serialized() + "\n")
            } else {
                StandardStream.error.write(error.text)
            }
            exit(error.status.rawValue)
        }
    }

    private static func respond(_ arguments: RespondArguments) async throws(CommandFailure) -> Report {
        let clock = MonotonicClock.system
        let begin = clock.now()
        let body = try NotificationFile.contents(arguments.notification)
        let sources = try SettingSources.read(flags: arguments.settings, file: arguments.configuration)
        let configuration = try ServiceConfiguration.read(sources)
        let deadline = begin + .seconds(Int64(clamping: configuration.notifications.deadline))
        let installation = try await Installation.openOrMake(configuration)
        let reader = try installation.notificationReader()
        let notification = try rethrowing(reader.read(body)) { (fault: EnvelopeFault) in
            CommandFailure(.data, fault.reason)
        }
        let account = try await installation.meantAccount(arguments.account)
        let responder = try await installation.responder { mismatch in
            StandardStream.error.write(
                "error: \(mismatch.backend) made an invoice that is not what was ordered (\(mismatch.fault.reason)); nobody has seen it\n"
            )
        }
        let processor = try installation.notificationProcessor(responder, asksNode: true)
        if arguments.isDryRun {
            let handled = await processor.responder.handle(notification, for: account, until: deadline)
            return Report(handled: handled, delivery: nil)
        }
        let processed = await processor.process(notification, for: account, until: deadline)
        if let fault = processed.recordFault {
            StandardStream.error.write("warning: not written into the event log: \(fault.reason)\n")
        }
        return Report(handled: processed.handled, delivery: processed.delivery)
    }
}
