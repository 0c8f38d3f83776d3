extension String {
    /// The text with U+FFFD in place of U+0000.
    var replacingZero: String {
        guard utf8.contains(0) else { return self }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars { text.append(scalar == "\0" ? "\u{FFFD}" : scalar) }
        return String(text)
    }
}
