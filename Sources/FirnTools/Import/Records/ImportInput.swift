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
    /// Whether the input is a gzip file, which is decompressed whenever it is read.
    private let isCompressed: Bool

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
            isCompressed = GzipSource.isGzip(bytes)
            if isCompressed {
                beginning = PeekedSource(try GzipSource(beginning))
                bytes = try beginning.beginning()
            }
            stream = isStream && spool == nil ? beginning : nil
            size = beginning.size
            foreign = ForeignInput(beginning: bytes)
            let columnar = ColumnarFormat(beginning: bytes)
            let named = isCompressed ? GzipSource.nameOfContent(path) : path
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
            return isCompressed ? try GzipSource(source) : source
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
            guard let file, !isCompressed else {
                throw InputError(
                    .unreadable,
                    isCompressed
                        ? "a Parquet file is compressed inside, and not as a whole"
                        : "a Parquet file is read from its end, which a stream does not have yet",
                    name: name,
                    remedy: isCompressed ? "gzip -d the file first" : "save it to a file first")
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
