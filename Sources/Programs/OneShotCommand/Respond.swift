import ResponderCore
import ServiceSetup
import Platform
import LightningCoding
import LightningCrypto
import ResponderModel

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The program behind `lightning-responder respond`: one notification, one reply, then it exits.
@main
struct Respond {
    static func main() async {
        keepOpenSSLUntilExit()
        let words = Array(CommandLine.arguments.dropFirst())
        do throws(CommandFailure) {
            let arguments = try RespondArguments(words)
            if arguments.wantsHelp {
                try show(RespondHelp.text)
                exit(0)
            }
            if arguments.wantsVersion {
                try show(SoftwareVersion.text + "\n")
                exit(0)
            }
            exit(try await respond(arguments)?.rawValue ?? 0)
        } catch {
            if !words.contains("--json") || error == .outputFailed
                || !StandardStream.output.write(error.json.printable + "\n")
            {
                StandardStream.error.write(error.text)
            }
            exit(error.status.rawValue)
        }
    }

    private static func show(_ text: String) throws(CommandFailure) {
        guard StandardStream.output.write(text) else { throw .outputFailed }
    }

    /// Answers, prints the report, and then cancels what a node made wrong, in the time that is left.
    ///
    /// - Returns: the exit status; nil for success.
    private static func respond(_ arguments: RespondArguments) async throws(CommandFailure) -> ExitStatus? {
        let begin = MonotonicTime.now
        let body = try contents(of: arguments.notification)
        let sources = try SettingSources.read(flags: arguments.settings, file: arguments.configuration)
        let configuration = try ServiceConfiguration.read(sources)
        let deadline = begin + .seconds(Int64(clamping: configuration.notifications.deadline))
        return try await Installation.openOrMake(configuration).closing { installation throws(CommandFailure) in
            try await respond(to: body, until: deadline, arguments, installation)
        }
    }

    private static func respond(
        to body: [UInt8], until deadline: MonotonicTime, _ arguments: RespondArguments, _ installation: Installation
    ) async throws(CommandFailure) -> ExitStatus? {
        let reader = try installation.notificationReader()
        let notification = try rethrowing(reader.read(body)) { (fault: EnvelopeFault) in
            CommandFailure(.data, fault.reason)
        }
        let account = try await installation.meantAccount(arguments.account)
        let processor = try installation.notificationProcessor(installation.responder(asksNode: true))
        let handled = await handle(notification, for: account, until: deadline, by: processor, arguments)
        let report = Report(handled: handled, texts: installation.configuration.notifications.texts)
        let isShown = StandardStream.output.write(arguments.isJSON ? report.json.printable + "\n" : report.text)
        if !arguments.isDryRun {
            _ = await MonotonicClock.system.race(until: deadline) { await cancelMismatchedInvoices(of: installation) }
        }
        guard isShown else {
            StandardStream.error.write(CommandFailure.outputFailed.text)
            return report.status ?? CommandFailure.outputFailed.status
        }
        return report.status
    }

    private static func handle(
        _ notification: ReceivedNotification, for account: AccountID, until deadline: MonotonicTime,
        by processor: NotificationProcessor, _ arguments: RespondArguments
    ) async -> NotificationResult {
        if arguments.isDryRun {
            let handled = await processor.responder.handle(notification, for: account, until: deadline)
            warn(of: handled.cause)
            return handled
        }
        let processed = await processor.process(notification, for: account, until: deadline)
        warn(of: processed.cause)
        if let fault = processed.recordFault {
            StandardStream.error.write("warning: not recorded in the event log: \(fault.reason)\n")
        }
        return processed
    }

    private static func warn(of cause: String?) {
        if let cause { StandardStream.error.write("warning: " + cause + "\n") }
    }

    private static func contents(of path: String) throws(CommandFailure) -> [UInt8] {
        do {
            let file = path == "-" ? try OpenFile.standardInput() : try OpenFile(reading: path)
            // Longer than any notification.
            return try file.contents(limit: 1 << 20)
        } catch .tooLong {
            throw CommandFailure(.data, "\(path): the notification is too large")
        } catch {
            throw CommandFailure(.noInput, "\(path): \(error.reason)")
        }
    }

    /// Cancels what this run or an earlier one has recorded, in case no service runs; one attempt each.
    private static func cancelMismatchedInvoices(of installation: Installation) async {
        let invoices = MismatchedInvoices(
            ledger: installation.ledger, backends: installation.backends, clock: installation.now)
        await OutboxRunner(
            invoices, of: installation.ledger, holder: "respond-\(getpid())", clock: installation.now
        ).runOnce()
    }
}
