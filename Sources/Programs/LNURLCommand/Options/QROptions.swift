import ArgumentParser
import LightningCoding
import Platform
import QRCodes

struct QROptions: ParsableArguments {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case ansi
        case png
        case svg
    }

    @Option(help: "Make a QR code: in the terminal, or as an image.")
    var qr: Format?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write the QR code, or without --qr the text, to this file.", valueName: "file"))
    var output: String?

    /// Adds the code to an outcome, or writes it, or the plain text, to the file.
    func add(_ text: String, to outcome: inout Outcome) throws(ToolFault) {
        let content: [UInt8]
        if let qr {
            content = try Self.content(text, qr, isFile: output != nil)
            outcome.json.append("qr", json(content, qr))
        } else {
            content = Array((text + "\n").utf8)
        }
        if let output {
            try Streams.write(content, to: output)
            outcome.page.add("written to", output)
        } else if qr == .ansi {
            outcome.page.add("")
            outcome.page.add(String(decoding: content, as: UTF8.self))
        } else if qr != nil {
            outcome.file = content
        }
    }

    /// Refuses to write an image to a terminal, before any request.
    func checkDestination(_ options: OutputOptions) throws(ToolFault) {
        guard qr == .png, output == nil, !options.json, StandardStream.output.isTerminal else { return }
        throw .binaryToTerminal
    }

    private func json(_ content: [UInt8], _ format: Format) -> JSONValue {
        var object: JSONObject = ["format": .string(format.rawValue)]
        if let output {
            object.append("file", .string(output))
        } else if format == .png {
            object.append("base64", .string(Base64.encode(content)))
        } else {
            object.append("text", .string(String(decoding: content, as: UTF8.self)))
        }
        return .object(object)
    }

    private static func content(_ text: String, _ format: Format, isFile: Bool) throws(ToolFault) -> [UInt8] {
        do throws(QRFault) {
            let code = try QRCode(text)
            switch format {
            case .ansi:
                let isColored = !isFile && TextStyle(for: .output).hasColors
                return Array(code.terminalText(isColored ? .colored : .plain).utf8)
            case .png: return try code.png()
            case .svg: return Array(code.svg.utf8)
            }
        } catch {
            throw .noSymbol
        }
    }
}
