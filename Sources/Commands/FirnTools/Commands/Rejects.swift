import ArgumentParser
import FirnFormats
import FirnPlatform
import FirnText
import FirnValues

/// The reaction to an invalid record (`--on-error`).
enum OnError: ExpressibleByArgument, Hashable {
    /// Nothing is written.
    case abort
    /// The record is skipped.
    case skip
    /// The record is skipped and stored in a file.
    case save(String)

    var savesRecords: Bool { if case .save = self { true } else { false } }

    init?(argument: String) {
        switch argument {
        case "abort": self = .abort
        case "skip": self = .skip
        case _ where argument.hasPrefix("save=") && argument.utf8.count > 5:
            self = .save(String(argument.dropFirst(5)))
        default: return nil
        }
    }

    var defaultValueDescription: String { "abort" }
}

/// The skipped records.
final class Rejects {
    /// The number of records that are reported individually.
    private static let toldMax: UInt64 = 20

    let path: String?
    let mode: OnError
    private(set) var count: UInt64 = 0
    private let file: AppendedFile?
    private let output: BufferedSink?
    private let style: ErrorStyle
    private let environment: CommandEnvironment

    /// - Parameter inputs: the inputs of the records.
    init(
        _ mode: OnError, inputs: [String], _ style: ErrorStyle, _ environment: CommandEnvironment
    ) throws(CommandFailure) {
        self.mode = mode
        self.style = style
        self.environment = environment
        guard case .save(let path) = mode else {
            (path, file, output) = (nil, nil, nil)
            return
        }
        self.path = path
        do {
            let file = try AppendedFile(path, environment.services.files, keeping: inputs)
            self.file = file
            output = BufferedSink(file)
        } catch { throw CommandFailure(writing: SafeText.escaping(path), error) }
    }

    /// Skips a record that cannot be read, or fails because of it.
    ///
    /// - Parameter written: what of the input is in the database if the command fails.
    func skip(
        _ error: InputError, _ records: any RecordSource, written: String
    ) throws(CommandFailure) {
        guard mode != .abort else { throw CommandFailure(error) }
        guard records.canContinue else { throw unskippable(error, written) }
        var diagnostic = Diagnostic(error)
        // A missing delimiter in one line is detected in a later line.
        if let line = error.line, line != records.line {
            diagnostic.details.append(
                "skipped the record that begins on line \(records.line)")
        }
        let line = records.line
        var broken: BrokenRecord?
        if mode.savesRecords {
            do { broken = try records.takeBroken() } catch { throw CommandFailure(error) }
        }
        try add(diagnostic, line: line, record: broken)
    }

    /// Returns the failure for an error after which nothing can be read, although records may be
    /// skipped.
    private func unskippable(_ error: InputError, _ written: String) -> CommandFailure {
        guard error.code != .unreadable else { return CommandFailure(error) }
        var diagnostic = Diagnostic(error)
        diagnostic.details.append(
            "cannot find the end of this record; \(written) was written")
        if error.code == .syntax, diagnostic.remedy == nil {
            diagnostic.remedy = "write one record per line, so that the others can be read"
        }
        return .diagnostic(diagnostic)
    }

    /// Skips a record that is not an object of the database, or fails because of it.
    func reject(
        _ mistake: RecordMistake, _ record: ImportRecord, _ input: String
    ) throws(CommandFailure) {
        let diagnostic = mistake.diagnostic(in: input)
        guard mode != .abort else { throw .diagnostic(diagnostic) }
        try add(diagnostic, line: record.position.line, record: .tree(record.tree))
    }

    /// Stores a record, and reports the error.
    private func add(
        _ diagnostic: Diagnostic, line: UInt64, record: BrokenRecord?
    ) throws(CommandFailure) {
        count += 1
        if style == .json || count <= Rejects.toldMax {
            environment.report(diagnostic, style)
        }
        guard let output else { return }
        output.buffer.append("{\"error\":")
        output.buffer.append(string: diagnostic.json.text)
        output.buffer.append(",\"line\":")
        output.buffer.append(unsigned: line)
        append(record, to: output)
        output.buffer.append("}\n")
        do { try output.flushIfFull() } catch { throw failure(error) }
    }

    private func append(_ record: BrokenRecord?, to output: BufferedSink) {
        switch record {
        case nil: break
        case .tree(let tree):
            output.buffer.append(",\"record\":")
            output.buffer.append(json: tree)
        case .bytes(let bytes):
            if let text = String(validating: bytes, as: UTF8.self) {
                output.buffer.append(",\"text\":")
                output.buffer.append(jsonString: text)
            } else {
                output.buffer.append(",\"base64\":")
                output.buffer.append(jsonString: Base64.encoded(bytes))
            }
        }
    }

    /// Makes durable the records that a commit acknowledges as rejected, before the commit.
    func store() throws(CommandFailure) {
        do {
            try output?.flush()
            try file?.makeDurable()
        } catch { throw failure(error) }
    }

    /// Keeps the records, and reports their number.
    func finish() throws(CommandFailure) {
        if style == .human, count > Rejects.toldMax {
            environment.note("and \(Formatting.count(count - Rejects.toldMax)) more\n")
        }
        try store()
        file?.keep()
    }

    private func failure(_ error: PlatformError) -> CommandFailure {
        CommandFailure(writing: SafeText.escaping(path ?? ""), error)
    }
}
