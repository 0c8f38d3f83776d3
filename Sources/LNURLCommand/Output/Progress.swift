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
