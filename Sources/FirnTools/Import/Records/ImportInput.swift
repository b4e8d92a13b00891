import FirnColumnar
import FirnPlatform
import FirnValues

/// An input of the command line: a file, or a stream.
final class ImportInput {
    /// The options for opening the input.
    struct Options {
        /// The format, if given.
        var format: InputFormat?
        /// Whether an empty input of unknown format contains no records, as from a program without
        /// output; otherwise it is a table without a header.
        var mayBeEmpty = false
        /// Whether messages about the input are suppressed.
        var isQuiet = false
        /// A text that means null in tables.
        var nullText: String?
        /// The location of the copy of a stream, if it must be read more than once.
        var spoolsBeside: String?
    }

    /// The path, or `-`.
    let path: String
    /// The name in errors.
    let name: String
    /// Whether it is standard input or a pipe, which can be read once.
    let isStream: Bool
    let format: InputFormat
    /// The number of bytes, if known.
    let size: UInt64?
    private let options: Options
    /// A text that means null in tables.
    var nullText: String? { options.nullText }
    private let file: (any File)?
    /// Keeps the copy of a stream while it is needed.
    private let spool: SpooledInput?
    /// The stream, unless it has a copy.
    private let stream: PeekedSource?
    /// The compression of the input, which is decompressed whenever it is read.
    private let compression: Compression?

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
            var beginning = PeekedSource(source ?? opened.source)
            file = spool?.file ?? opened.file
            var bytes = try beginning.beginning()
            compression = Compression(beginning: bytes)
            if let compression {
                beginning = PeekedSource(try compression.source(beginning))
                bytes = try beginning.beginning()
            }
            stream = isStream && spool == nil ? beginning : nil
            size = beginning.size
            foreign = ForeignInput(beginning: bytes)
            let columnar = ColumnarFormat(beginning: bytes)
            let named = compression == nil ? path : Compression.nameOfContent(path)
            if let columnar {
                format = .columnar(columnar)
            } else if let said = options.format {
                format = said
            } else {
                let isNothing = bytes.isEmpty && RowFormat(path: named) == nil
                format =
                    isNothing && options.mayBeEmpty
                    ? .objects : InputFormat(path: named, beginning: bytes)
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

    /// Starts reading; each time from the beginning, unless it is a stream.
    private func source() throws(InputError) -> any ByteSource {
        if let stream { return stream }
        do throws(PlatformError) {
            guard let file else {
                throw PlatformError(.notFound, operation: "read", path: name)
            }
            let source = try FileSource(file, name: name)
            return try compression?.source(source) ?? source
        } catch {
            throw InputError(error, name: name)
        }
    }

    /// The rows of a table.
    func table(_ format: DelimitedFormat) throws(InputError) -> TableReader {
        try TableReader(try source(), format)
    }

    /// Returns the reader of a Parquet or Arrow file.
    func columns() throws(InputError) -> any ColumnarReader {
        if format == .columnar(.parquet) {
            if let compression {
                throw InputError(
                    .type, "a Parquet file that was compressed as a whole is not read",
                    name: name, remedy: "decompress it first: \(compression.program) -d FILE")
            }
            guard let file else {
                throw InputError(
                    .type, "a Parquet file is read from its end, which a stream does not have",
                    name: name, remedy: "save it to a file first")
            }
            do { return try ParquetReader(file) } catch { throw InputError(error, name: name) }
        }
        let source = ColumnarByteSource(try source())
        do { return try ArrowReader(source) } catch { throw InputError(error, name: name) }
    }

    /// Returns the records, in any format.
    func records() throws(InputError) -> any RecordSource {
        switch format {
        case .table(let format): TableRecords(try table(format), nullText: options.nullText)
        case .objects, .operations: try JSONRecords(try source())
        case .columnar: ColumnarRecords(try columns(), name: name)
        }
    }
}
