import FirnTesting

/// A statement repeated in one process of a shell that has `.timer on`.
///
/// Both shells time a whole line and print milliseconds, so several statements share a line:
///
///     Run Time: real 0.045 user 0.043412 sys 0.000000          sqlite3
///     Run Time (s): real 0.021 user 0.020412 sys 0.000000      DuckDB
struct TimedScript {
    private let line: String
    private let statementsPerLine: Int
    private let lineCount: Int

    /// - Parameter lines: the number of samples wanted.
    init(_ statement: String, statementsPerLine: Int, lines: Int) {
        line = Array(repeating: statement + ";", count: statementsPerLine).joined(separator: " ")
        self.statementsPerLine = statementsPerLine
        lineCount = lines
    }

    /// The input of the shell; the first line only warms up.
    func text(before: String) -> String {
        before + ".timer on\n" + String(repeating: line + "\n", count: lineCount + 1)
    }

    /// Nanoseconds of one statement, for every line except the first.
    func samples(_ output: String) throws -> [UInt64] {
        var samples: [UInt64] = []
        for line in output.split(whereSeparator: \.isNewline) where line.hasPrefix("Run Time") {
            let words = line.split(separator: " ")
            guard let index = words.firstIndex(of: "real"), index + 1 < words.count,
                let seconds = Double(words[index + 1]), seconds >= 0, seconds < 1e6
            else { throw ProgramError("not understood: \(line)") }
            samples.append(UInt64(seconds * 1e9) / UInt64(statementsPerLine))
        }
        guard samples.count == lineCount + 1 else {
            throw ProgramError("\(samples.count) times for \(lineCount + 1) lines")
        }
        return Array(samples.dropFirst())
    }
}
