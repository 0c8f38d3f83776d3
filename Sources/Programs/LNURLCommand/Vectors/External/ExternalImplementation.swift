import LightningCoding
import Platform

/// A program in any language that runs cases: it reads one as a JSON object on a line of its standard input, and writes
/// what comes of it as another on its standard output. It may exit after each, and is started again.
///
/// The protocol is explained in `Vectors/README.md`.
package final class ExternalImplementation: Sendable {
    private typealias Line = FirstAnswer<Result<[UInt8], Silence>>

    private enum Silence: Error {
        case ended, timedOut
    }

    private struct Running {
        let program: LineProgram
        var awaited: Line?
    }

    private let command: [String]
    private let timeout: Duration
    private let running = Guarded(Running?.none)
    /// How often it was started without ever answering; nil once it has.
    private let starts = Guarded<Int?>(0)
    private static let greatestStarts = 3

    /// - Parameters:
    ///   - command: the program, which is found in `PATH`, and its arguments; it has the environment of this process.
    ///   - timeout: how long one case may take.
    package init(_ command: [String], timeout: Duration = .seconds(20)) {
        self.command = command
        self.timeout = timeout
    }

    deinit {
        running.withLock { $0 }?.program.stop()
    }

    /// Runs every file of a folder. Throws `unreadable`, and `silentProgram` once it is clear that nothing answers.
    package func run(_ folder: VectorFolder) async throws(VectorFault) -> VectorReport {
        try await folder.report { (file, vector) throws(VectorFault) in
            let outcome = await self.judge(vector, of: file)
            guard self.starts.withLock({ $0 ?? 0 }) < Self.greatestStarts else {
                throw .silentProgram(self.command.last ?? "")
            }
            return outcome
        }
    }

    func judge(_ vector: VectorCase, of file: VectorFile) async -> VectorResult.Outcome {
        let question: JSONValue = [
            "file": .string(file.path), "standard": .string(file.folder), "subject": .string(file.subject),
            "name": .string(vector.name), "input": .object(vector.input),
        ]
        switch await answer(to: question.serializedBytes() + [UInt8(ascii: "\n")]) {
        case .success(let line):
            return ExternalAnswer(line)?.outcome(of: vector)
                ?? .failed(reason: "the answer is not one JSON object with values, reject or skip")
        case .failure(.ended): return .failed(reason: "the program ended without an answer")
        case .failure(.timedOut): return .failed(reason: "the program gave no answer in time")
        }
    }

    private func answer(to question: [UInt8]) async -> Result<[UInt8], Silence> {
        // A program that answers and exits may take the question of the next case with it.
        for _ in 0..<2 {
            let awaited = Line()
            guard let program = program(awaiting: awaited) else { return .failure(.ended) }
            guard program.send(question) else {
                discard(program)
                continue
            }
            let timer = Task { [timeout] in
                if (try? await Task.sleep(for: timeout)) != nil { awaited.give(.failure(.timedOut)) }
            }
            defer { timer.cancel() }
            let answer = await awaited.value()
            if case .success = answer {
                starts.withLock { $0 = nil }
                return answer
            }
            discard(program)
            if case .failure(.timedOut) = answer { return answer }
        }
        return .failure(.ended)
    }

    /// Ends a program, so that the next case starts another.
    private func discard(_ program: LineProgram) {
        running.withLock { if $0?.program === program { $0 = nil } }
        program.stop()
    }

    private func program(awaiting line: Line) -> LineProgram? {
        running.withLock { running in
            if running != nil {
                running?.awaited = line
                return running?.program
            }
            guard starts.withLock({ $0 ?? 0 }) < Self.greatestStarts else { return nil }
            starts.withLock { $0 = $0.map { $0 + 1 } }
            guard let program = try? LineProgram(command, environment: nil) else { return nil }
            let isRead = DetachedThread.start { [weak self] in
                program.readLines { self?.take($0) }
                self?.ended(program)
            }
            guard isRead else { return nil }
            running = Running(program: program, awaited: line)
            return program
        }
    }

    private func take(_ line: [UInt8]) {
        let awaited = running.withLock { running in
            defer { running?.awaited = nil }
            return running?.awaited
        }
        awaited?.give(.success(line))
    }

    private func ended(_ program: LineProgram) {
        let awaited = running.withLock { running in
            guard running?.program === program else { return Line?.none }
            defer { running = nil }
            return running?.awaited
        }
        awaited?.give(.failure(.ended))
    }
}
