extension String {
    /// Untrusted text on one line, safe to print: line breaks, terminal control characters and bidirectional controls
    /// are shown by number, as `\\u{202e}`.
    public var printable: String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse:
                // Joiners are part of emoji and harmless.
                if scalar == "\u{200D}" || scalar == "\u{200C}" {
                    result.unicodeScalars.append(scalar)
                } else if scalar == "\n" {
                    result += " ⏎ "
                } else {
                    result += "\\u{\(String(scalar.value, radix: 16))}"
                }
            default:
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
