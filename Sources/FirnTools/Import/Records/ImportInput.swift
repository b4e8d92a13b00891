import FirnPlatform
import FirnValues

/// An input of the command line: a file, or standard input.
final class ImportInput {
    /// How the input is to be opened.
    struct Options {
        /// The format, if it was said.
        var format: InputFormat?
        /// A text that stands for null in tables.
        var nullText: String?
        /// Where a copy of standard input goes, if it is to be read more than once.
        var spoolsBeside: String?
    }

    /// The path, or `-`.
    let path: String
    /// What errors call it.
    let name: String
    let format: InputFormat
    /// How many bytes there are, if that is known.
    let size: UInt64?
    private let options: Options
    private let file: (any File)?
    /// Keeps the copy of standard input until it is no longer needed.
    private let spool: SpooledInput?
    /// Standard input, which can be read once.
    private let stream: PeekedSource?

    init(
        _ path: String, _ options: Options, _ line: Progress, _ surroundings: Surroundings
    ) throws(CommandFailure) {
        self.path = path
        self.options = options
        let isStream = path == "-"
        name = isStream ? "standard input" : path
        var spool: SpooledInput?
        if isStream, let output = options.spoolsBeside {
            spool = try SpooledInput(surroundings, beside: output, line)
        }
        let shown = SafeText.escaping(name)
        do throws(PlatformError) {
            let beginning: PeekedSource
            if let spool {
                file = spool.file
                beginning = PeekedSource(try FileSource(spool.file, name: name))
                stream = nil
            } else if isStream {
                file = nil
                beginning = PeekedSource(surroundings.input)
                stream = beginning
            } else {
                let opened = try surroundings.services.files.open(path, .readOnly)
                file = opened
                beginning = PeekedSource(try FileSource(opened, name: name))
                stream = nil
            }
            size = beginning.size
            if let said = options.format {
                format = said
            } else {
                format = InputFormat(path: path, beginning: try beginning.beginning())
            }
        } catch {
            try surroundings.checkSignals()
            throw .diagnostic(Diagnostic(error, "cannot read \(shown)"))
        }
        self.spool = spool
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
