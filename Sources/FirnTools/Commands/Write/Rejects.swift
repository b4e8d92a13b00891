import ArgumentParser
import FirnPlatform
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
    private(set) var count: UInt64 = 0
    private let file: AtomicFile?
    private let output: BufferedSink?
    private let style: ErrorStyle
    private let environment: CommandEnvironment

    /// - Parameter inputs: the inputs of the records.
    init(
        _ mode: OnError, inputs: [String], _ style: ErrorStyle, _ environment: CommandEnvironment
    ) throws(CommandFailure) {
        self.style = style
        self.environment = environment
        guard case .save(let path) = mode else {
            (path, file, output) = (nil, nil, nil)
            return
        }
        self.path = path
        do {
            let file = try AtomicFile(
                path, .replaced, services: environment.services, keeping: inputs)
            self.file = file
            output = BufferedSink(file)
        } catch { throw CommandFailure(writing: SafeText.escaping(path), error) }
    }

    /// Stores a record, and reports the error.
    func add(
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

    /// Gives the file its final name, and reports the number of records.
    func finish() throws(CommandFailure) {
        if style == .human, count > Rejects.toldMax {
            environment.note("and \(Formatting.count(count - Rejects.toldMax)) more\n")
        }
        do {
            try output?.flush()
            try file?.commit()
        } catch { throw failure(error) }
    }

    private func failure(_ error: PlatformError) -> CommandFailure {
        CommandFailure(writing: SafeText.escaping(path ?? ""), error)
    }
}
