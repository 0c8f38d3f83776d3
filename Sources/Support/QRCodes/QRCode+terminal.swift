extension QRCode {
    package enum TerminalStyle: Hashable, Sendable {
        /// Black on white with escape sequences, whatever the terminal's theme.
        case colored
        /// No escape sequences: light modules are drawn, for a dark background.
        case plain
    }

    /// The symbol with its quiet zone in half-block characters: each is two modules, one above the other.
    package func terminalText(_ style: TerminalStyle) -> String {
        let range = -Self.quietZone..<(size + Self.quietZone)
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { y in
            let line = range.map { x in
                // Below the last row the background continues.
                let lower = y + 1 < range.upperBound ? isDark(x: x, y: y + 1) : style == .plain
                return Self.block(upper: isDark(x: x, y: y), lower: lower, style)
            }
            switch style {
            case .colored: return "\u{1B}[38;5;16;48;5;231m" + line.joined() + "\u{1B}[0m\n"
            case .plain: return line.joined() + "\n"
            }
        }.joined()
    }

    private static func block(upper: Bool, lower: Bool, _ style: TerminalStyle) -> String {
        let inked = style == .colored
        switch (upper == inked, lower == inked) {
        case (true, true): return "█"
        case (true, false): return "▀"
        case (false, true): return "▄"
        case (false, false): return " "
        }
    }
}
