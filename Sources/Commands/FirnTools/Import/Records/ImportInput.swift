import FirnColumnar
import FirnFormats
import FirnPlatform
import FirnText
import FirnValues

/// An input of the command line: a file, or a stream.
final class ImportInput {
    /// The options for opening the input.
    struct Options {
        /// The format, if given.
        var format: InputFormat?
        /// The form of tables as given on the command line.
        var dialect = TableDialect()
        /// Whether an empty input of unknown format contains no records, as from a program without
        /// output; otherwise it is a table without a header.
        var mayBeEmpty = false
        /// Whether messages about the input are suppressed.
        var isQuiet = false
        /// A text that means null in tables.
        var nullText: String?
        /// The location of the copy of a stream, if it must be read more than once.
        var spoolsBeside: String?
        /// The location of the copy of a Parquet stream, which is read from its end.
        var parquetSpoolsBeside: String?
        /// The meaning of JSON that is one object of arrays; `nil` if it is a record.
        var arrays: JSONArrays?
        /// The columns in the names of the folders of the file.
        var folderColumns: [FolderColumn] = []
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
    /// The copy of a stream, kept as long as it is needed.
    private let spool: SpooledInput?
    /// The stream, unless it has a copy.
    private let stream: PeekedSource?
    /// The compression of the input, which is decompressed whenever it is read.
    private let compression: Compression?
    private let encoding: TextEncoding
    /// Whether the lines of a table end with carriage returns.
    private let hasOldLineEnds: Bool
    private let hasArrays: Bool

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
            spool = try SpooledInput(
                opened.source, named: opened.name, environment, beside: output, line)
        }
        var foreign: ForeignInput?
        var sample: [UInt8] = []
        let found: Compression?
        let unspooled: PeekedSource?
        do throws(PlatformError) {
            let source = try spool.map { (spool) throws(PlatformError) in
                try FileSource(spool.file, name: opened.name)
            }
            let skipped = options.dialect.skippedLineCount ?? 0
            var peeked = PeekedSource(source ?? opened.source)
            found = Compression(beginning: try peeked.beginning())
            if let found { peeked = PeekedSource(try found.source(peeked)) }
            size = peeked.size
            let bytes = try peeked.beginning(skippedLineCount: skipped)
            let named = found == nil ? path : Compression.nameOfContent(path)
            let marked = options.dialect.encoding ?? TextEncoding(mark: bytes)
            let columnar = ColumnarFormat(beginning: bytes)
            if marked == nil { foreign = ForeignInput(beginning: bytes) }
            encoding =
                marked
                ?? ImportInput.encoding(
                    of: bytes, isWhole: peeked.isWhole, options, path: named,
                    isKnown: foreign != nil || columnar != nil)
            if encoding != .utf8 {
                peeked = PeekedSource(TranscodingSource(peeked, from: encoding))
            }
            var beginning = try peeked.beginning(skippedLineCount: skipped)
            let isTable =
                foreign == nil && columnar == nil
                && ImportInput.isTable(
                    beginning, options, path: named)
            hasOldLineEnds = isTable && LineEndSource.isNeeded(for: beginning)
            if hasOldLineEnds {
                peeked = PeekedSource(LineEndSource(peeked))
                beginning = try peeked.beginning(skippedLineCount: skipped)
            }
            // The last record of a sample counts if it has its end.
            if peeked.isWhole, isTable, !beginning.isEmpty { beginning.append(0x0A) }
            format =
                columnar.map { .columnar($0) }
                ?? ImportInput.format(of: beginning, options, path: named)
            sample = isTable ? Array(beginning.prefix(256)) : []
            // The lines of NDJSON are records.
            hasArrays = RowFormat(path: named) != .ndjson
            unspooled = isStream && spool == nil ? peeked : nil
        } catch {
            try environment.checkSignals()
            throw .diagnostic(Diagnostic(error, "cannot read \(SafeText.escaping(name))"))
        }
        if format == .columnar(.parquet), let source = unspooled,
            let output = options.parquetSpoolsBeside
        {
            let copy = try SpooledInput(
                source, named: opened.name, environment, beside: output, line)
            (spool, file, stream) = (copy, copy.file, nil)
            // The copy has the decompressed bytes.
            compression = nil
        } else {
            (file, stream, compression) = (spool?.file ?? opened.file, unspooled, found)
        }
        self.spool = spool
        if let foreign { throw .diagnostic(foreign.diagnostic(path)) }
        if !options.isQuiet, let surprise = format.surprise {
            environment.note("\(SafeText.escaping(name)): \(surprise)\n")
        }
        if case .table(let table) = format {
            // Lines that are left out are reported even if other messages are suppressed.
            let omission = options.dialect.omission(from: sample[...], table)
            let notes = options.isQuiet ? [] : options.dialect.notes(on: table)
            let isUnnamed = TableColumnInsertion(options.folderColumns, table) == nil
            let folders = options.folderColumns.map { SafeText.escaping($0.name) }
            let lost =
                isUnnamed && !folders.isEmpty
                ? "left out the columns of the folders, \(folders.joined(separator: ", ")); "
                    + "a table whose first row names its columns has them" : nil
            for note in [omission, lost].compactMap(\.self) + notes {
                environment.note("\(SafeText.escaping(name)): \(note)\n")
            }
        }
        if !options.isQuiet, hasOldLineEnds {
            environment.note("\(SafeText.escaping(name)): lines end with carriage returns\n")
        }
        if !options.isQuiet, encoding != .utf8, encoding != options.dialect.encoding {
            environment.note(
                "\(SafeText.escaping(name)): read as \(encoding.title); --encoding names another\n")
        }
    }

    /// Returns the encoding of a text without a mark: only a table can have one other than UTF-8.
    private static func encoding(
        of bytes: [UInt8], isWhole: Bool, _ options: Options, path: String, isKnown: Bool
    ) -> TextEncoding {
        guard !isKnown, isTable(bytes, options, path: path) else { return .utf8 }
        return TextEncoding.found(in: bytes, isWhole: isWhole)
    }

    private static func isTable(_ bytes: [UInt8], _ options: Options, path: String) -> Bool {
        if case .table = format(of: bytes, options, path: path) { true } else { false }
    }

    private static func format(
        of bytes: [UInt8], _ options: Options, path: String
    ) -> InputFormat {
        if case .table(let said) = options.format {
            return .table(options.dialect.applied(to: said))
        }
        if let said = options.format { return said }
        let isNothing = bytes.isEmpty && RowFormat(path: path) == nil
        return isNothing && options.mayBeEmpty
            ? .objects : InputFormat(path: path, beginning: bytes, options.dialect)
    }

    /// Starts reading; each time from the beginning, unless it is a stream.
    func source() throws(InputError) -> any ByteSource {
        if let stream { return stream }
        do throws(PlatformError) {
            guard let file else {
                throw PlatformError(.notFound, operation: "read", path: name)
            }
            let source = try FileSource(file, name: name)
            let text = try compression?.source(source) ?? source
            let utf8 = encoding == .utf8 ? text : TranscodingSource(text, from: encoding)
            let lines: any ByteSource = hasOldLineEnds ? LineEndSource(utf8) : utf8
            return withFolderColumns(lines)
        } catch {
            throw InputError(error, name: name)
        }
    }

    private func withFolderColumns(_ text: any ByteSource) -> any ByteSource {
        let columns = options.folderColumns
        guard !columns.isEmpty else { return text }
        switch format {
        case .table(let format):
            return TableColumnInsertion(columns, format).map { FolderColumnSource(text, $0) }
                ?? text
        case .objects: return FolderColumnSource(text, ObjectColumnInsertion(columns))
        case .operations, .columnar: return text
        }
    }

    /// The positions of the rows of a table, once they were read for the first time.
    var rowPositions: RowPositions?

    /// Returns the rows of a table in blocks.
    func blocks(_ format: DelimitedFormat) throws(InputError) -> TableBlocks {
        try TableBlocks(try source(), format)
    }

    /// Returns the rows of a table.
    func table(_ format: DelimitedFormat) throws(InputError) -> TableReader {
        try TableReader(try source(), format)
    }

    /// Returns the reader of a Parquet or Arrow file.
    func columns() throws(InputError) -> ColumnarTable {
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
            do { return ColumnarTable(try ParquetReader(file), options.folderColumns) } catch {
                throw InputError(error, name: name)
            }
        }
        let source = ColumnarByteSource(try source())
        do { return ColumnarTable(try ArrowReader(source), options.folderColumns) } catch {
            throw InputError(error, name: name)
        }
    }

    /// Returns the objects in a text that begins as the input does.
    func records(in text: any ByteSource) throws(InputError) -> JSONRecords {
        try JSONRecords(text, arrays: hasArrays ? options.arrays : nil)
    }

    /// Returns the records, in any format.
    func records() throws(InputError) -> any RecordSource {
        switch format {
        case .table(let format): TableRecords(try table(format), nullText: options.nullText)
        case .objects: try records(in: try source())
        case .operations: try JSONRecords(try source())
        case .columnar: ColumnarRecords(try columns(), name: name)
        }
    }
}
