import Doctor

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
