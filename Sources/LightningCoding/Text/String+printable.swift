extension String {
    /// A text of somebody else's on one line, without what would steer a terminal or turn the reading direction: such
    /// characters are shown by number, as `\\u{202e}`.
    public var printable: String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse:
                // Joiners hold emoji together and steer nothing.
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
