import Doctor
import LightningCoding

/// A progress line on standard error: rewritten on a terminal, written once elsewhere.
final class Progress {
    private let isTerminal = Streams.isTerminal(Streams.errors)
    private var isShown = false

    func show(_ outcome: Result<Outcome, ToolFault>, after duration: Duration) {
        let state =
            switch outcome {
            case .success: "not paid yet"
            case .failure(let fault): fault.reason
            }
        if isTerminal {
            let seconds = Int(duration / .seconds(1))
            Streams.write("\r\u{1B}[K… \(state.printable) (\(seconds) s)", to: Streams.errors)
        } else if !isShown {
            Streams.write("… \(state.printable); waiting\n", to: Streams.errors)
        }
        isShown = true
    }

    func end() {
        if isShown, isTerminal { Streams.write("\r\u{1B}[K", to: Streams.errors) }
    }
}

/// The progress of an examination on standard error: a line that is rewritten on a terminal, one line elsewhere.
final class ExaminationProgress: Sendable {
    private let isTerminal = Streams.isTerminal(Streams.errors)

    func show(_ progress: Examination.Progress) {
        if isTerminal {
            Streams.write(
                "\r\u{1B}[K… \(progress.done + 1) of \(progress.total): \(progress.probe.rawValue)", to: Streams.errors)
        } else if progress.done == 0 {
            Streams.write("… sending up to \(progress.total) requests\n", to: Streams.errors)
        }
    }

    func end() {
        if isTerminal { Streams.write("\r\u{1B}[K", to: Streams.errors) }
    }
}
