import ArgumentParser
import FirnColumnar
import FirnFormats
import FirnValues

/// The form of the files that a command writes, as plain values.
struct FileForm: Hashable {
    /// The compression of the pages of Parquet, if an option chose it.
    var codec: FileCodec?
    /// Whether csv and tsv begin with a byte order mark.
    var startsWithMark = false
    /// Whether csv has decimal commas, and semicolons between the fields.
    var hasDecimalComma = false
    /// The character between the fields of csv, if an option chose it.
    var delimiter: UInt8?
    /// The columns whose values name folders, outer folders first.
    var partitions: [String] = []

    /// Rejects options that a format does not support.
    func check(_ format: RowFormat) throws(CommandFailure) {
        if codec != nil, format != .parquet {
            throw .diagnostic(
                .usage(
                    "--codec is for parquet, not for \(format.rawValue)",
                    remedy: "a text is compressed by its name: .gz or .zst"))
        }
        if startsWithMark, format != .csv, format != .tsv {
            throw .diagnostic(.usage("--bom is for csv and tsv, not for \(format.rawValue)"))
        }
        if hasDecimalComma, format != .csv {
            throw .diagnostic(.usage("--decimal-comma is for csv, not for \(format.rawValue)"))
        }
        guard let delimiter else { return }
        if format != .csv {
            throw .diagnostic(
                .usage(
                    "--delimiter is for csv, not for \(format.rawValue)",
                    remedy: "choose csv with -f csv"))
        }
        if hasDecimalComma, delimiter == UInt8(ascii: ",") {
            throw .diagnostic(
                .usage("--decimal-comma needs another --delimiter than a comma"))
        }
        // Numbers, dates, identifiers and Data are written without quotes.
        if "\".-+:/=".utf8.contains(delimiter) {
            let character = Character(Unicode.Scalar(delimiter))
            throw .diagnostic(
                .usage(
                    "--delimiter \(character) occurs in values of csv",
                    remedy: "such as ; or | or tab"))
        }
    }
}

extension WriterOptions {
    /// Sets what the options for files and for objects determine.
    mutating func set(_ form: FileForm, _ objects: ObjectLayout) {
        startsWithMark = form.startsWithMark
        hasDecimalComma = form.hasDecimalComma
        delimiter = form.delimiter
        quotesInt64 = objects.quotesInt64
        disarmsFormulas = objects.disarmsFormulas
    }
}

/// The compression of the pages of Parquet.
enum FileCodec: String, ExpressibleByArgument, CaseIterable {
    case zstd
    case lz4
    case snappy
    case gzip
    case none

    var codec: ColumnarCodec {
        switch self {
        case .zstd: .zstd
        case .lz4: .lz4
        case .snappy: .snappy
        case .gzip: .gzip
        case .none: .none
        }
    }
}

/// The options for the form of files.
struct FileFormOptions: ParsableArguments {
    @Option(
        name: .customLong("split-by"),
        help: ArgumentHelp(
            """
            Write a folder with one folder for each value of these columns, such as \
            carrier=UA/month=1, as Hive and Spark do; columns are separated by commas.
            """,
            valueName: "COLUMN,..."))
    var splitBy: String?

    @Option(
        name: .long,
        help: "The compression of parquet: zstd (the default), lz4, snappy, gzip or none.")
    var codec: FileCodec?

    @Flag(
        name: .long,
        help: "Begin csv and tsv with a byte order mark, from which Excel knows UTF-8.")
    var bom = false

    @Flag(
        name: .customLong("decimal-comma"),
        help: """
            Write csv for spreadsheets of countries with a decimal comma, with semicolons between the \
            fields; --delimiter chooses another character, also without a decimal comma.
            """)
    var decimalComma = false

    mutating func validate() throws {
        guard splitBy != nil else { return }
        if partitions.contains("") { throw ValidationError("--split-by has an empty name") }
        if TextSet(partitions).count < partitions.count {
            throw ValidationError("--split-by names a column twice")
        }
    }

    private var partitions: [String] {
        splitBy?.split(separator: ",", omittingEmptySubsequences: false)
            .map { String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) } ?? []
    }

    /// The given values.
    var form: FileForm {
        FileForm(
            codec: codec, startsWithMark: bom, hasDecimalComma: decimalComma,
            partitions: partitions)
    }
}
