import FirnPlatform
import FirnValues

/// An input of the command line: a file, or a stream.
final class ImportInput {
    /// How the input is to be opened.
    struct Options {
        /// The format, if it was said.
        var format: InputFormat?
        /// Whether an input of unknown format without a byte is one without records, as of a program
        /// that had nothing to say; otherwise it is a table without its header.
        var mayBeEmpty = false
        /// Whether nothing is told of the input.
        var isQuiet = false
        /// A text that stands for null in tables.
        var nullText: String?
        /// Where a copy of a stream goes, if it is to be read more than once.
        var spoolsBeside: String?
    }

    /// The path, or `-`.
    let path: String
    /// What errors call it.
    let name: String
    /// Whether it is standard input or a pipe, which can be read once.
    let isStream: Bool
    let format: InputFormat
    /// How many bytes there are, if that is known.
    let size: UInt64?
    private let options: Options
    private let file: (any File)?
    /// Keeps the copy of a stream until it is no longer needed.
    private let spool: SpooledInput?
    /// The stream, unless there is a copy of it.
    private let stream: PeekedSource?

    init(
        _ path: String, _ options: Options, _ line: Progress, _ environment: CommandEnvironment
    ) throws(CommandFailure) {
        self.path = path
        self.options = options
        let opened = try OpenedInput(path, environment)
        name = opened.name
        isStream = opened.file == nil
        var spool: SpooledInput?
        if isStream, let output = options.spoolsBeside {
            spool = try SpooledInput(opened, environment, beside: output, line)
        }
        var foreign: ForeignInput?
        do throws(PlatformError) {
            let source = try spool.map { (spool) throws(PlatformError) in
                try FileSource(spool.file, name: opened.name)
            }
            let beginning = PeekedSource(source ?? opened.source)
            file = spool?.file ?? opened.file
            stream = isStream && spool == nil ? beginning : nil
            size = beginning.size
            let bytes = try beginning.beginning()
            foreign = ForeignInput(beginning: bytes)
            if let said = options.format {
                format = said
            } else {
                let isNothing = bytes.isEmpty && RowFormat(path: path) == nil
                format =
                    isNothing && options.mayBeEmpty
                    ? .objects : InputFormat(path: path, beginning: bytes)
            }
        } catch {
            try environment.checkSignals()
            throw .diagnostic(Diagnostic(error, "cannot read \(SafeText.escaping(name))"))
        }
        self.spool = spool
        if let foreign { throw .diagnostic(foreign.diagnostic(path)) }
        if !options.isQuiet, let surprise = format.surprise {
            environment.note("\(SafeText.escaping(name)): \(surprise)\n")
        }
    }

    /// Begins to read; from the beginning each time, unless it is a stream.
    private func source() throws(InputError) -> any ByteSource {
        if let stream { return stream }
        do throws(PlatformError) {
            guard let file else {
                throw PlatformError(.notFound, operation: "read", path: name)
            }
            return try FileSource(file, name: name)
        } catch {
            throw InputError(error, name: name)
        }
    }

    /// The rows of a table.
    func table(_ format: DelimitedFormat) throws(InputError) -> TableReader {
        try TableReader(try source(), format)
    }

    /// The records, whatever the format.
    func records() throws(InputError) -> any RecordSource {
        switch format {
        case .table(let format): TableRecords(try table(format), nullText: options.nullText)
        case .objects, .operations: try JSONRecords(try source())
        }
    }
}
