extension QRCode {
    /// The symbol with its quiet zone as an SVG document that scales to any size.
    package var svg: String {
        let side = size + 2 * Self.quietZone
        var path = ""
        for y in 0..<size {
            var x = 0
            while x < size {
                let end = (x..<size).first { !isDark(x: $0, y: y) } ?? size
                if end > x {
                    let length = end - x
                    path += "M\(x + Self.quietZone) \(y + Self.quietZone)h\(length)v1h-\(length)z"
                }
                x = end + 1
            }
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">
            <rect width="\(side)" height="\(side)" fill="#fff"/>
            <path d="\(path)" fill="#000"/>
            </svg>

            """
    }
}
