import FirnEngine
import FirnPlatform
import FirnValues

/// One input of `create`: what it is, what its columns become, and how many rows it has.
struct ImportTable {
    let input: ImportInput
    let columns: [ColumnDecision]
    let definition: ClassDefinition
    let rowCount: UInt64
    /// The place of the key among the columns.
    let keyIndex: Int?

    var name: String { input.name }

    /// Reads the input once and decides what it becomes.
    init(
        _ path: String, command: CreateCommand, _ line: Progress, _ surroundings: Surroundings
    ) throws(CommandFailure) {
        let className = command.className ?? (path == "-" ? nil : ClassName.from(path: path))
        guard let className else {
            let name = path == "-" ? "standard input" : SafeText.escaping(path)
            throw .diagnostic(
                .usage("\(name) gives no name for the class", remedy: "name it with --class NAME"))
        }
        let input = try ImportInput(path, beside: command.file, line, surroundings)
        let outcome: TableInference.Outcome
        do throws(InputError) {
            outcome = try TableInference.run(try input.reader(), declared: command.types) { done in
                line.update("reading \(input.name)", done: done, of: input.size)
                return surroundings.pendingSignal() == nil
            }
        } catch {
            try surroundings.checkSignals()
            throw CommandFailure(error)
        }
        self.input = input
        columns = outcome.columns
        rowCount = outcome.rowCount
        let keyIndex = outcome.columns.firstIndex { $0.name == command.key }
        self.keyIndex = keyIndex
        definition = ClassDefinition(
            name: className,
            properties: outcome.columns.enumerated().map { index, column in
                // A key is never nil: the loader names the first row without one.
                let type = index == keyIndex ? PropertyType(column.type.base) : column.type
                return ClassDefinition.Property(
                    name: column.name, type: type, display: column.display)
            },
            keyName: keyIndex.map { outcome.columns[$0].name })
    }
}

/// An input that can be read more than once.
final class ImportInput {
    /// What errors call it.
    let name: String
    let size: UInt64
    private let file: any File
    private let format: DelimitedFormat
    /// Keeps the copy of standard input until it is no longer needed.
    private let spool: SpooledInput?

    init(
        _ path: String, beside output: String, _ line: Progress, _ surroundings: Surroundings
    ) throws(CommandFailure) {
        let isStream = path == "-"
        name = isStream ? "standard input" : path
        spool = isStream ? try SpooledInput(surroundings, beside: output, line) : nil
        do throws(PlatformError) {
            if let spool {
                file = spool.file
            } else {
                file = try surroundings.services.files.open(path, .readOnly)
            }
            size = try file.status().size
        } catch {
            throw .diagnostic(Diagnostic(error, "cannot read \(SafeText.escaping(path))"))
        }
        do throws(InputError) {
            format = try FormatSniffing.format(of: path, file, name: name)
        } catch { throw CommandFailure(error) }
    }

    /// Begins to read from the beginning.
    func reader() throws(InputError) -> TableReader {
        let source: FileSource
        do { source = try FileSource(file, name: name) } catch {
            throw InputError(error, name: name)
        }
        return try TableReader(source, format)
    }
}
