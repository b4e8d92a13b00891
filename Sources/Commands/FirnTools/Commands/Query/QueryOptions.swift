import FirnFormats
import FirnQuery
import FirnValues

/// The options of `query`, as plain values.
struct QueryOptions: Hashable {
    /// The minimum memory in bytes with which a statement can work.
    static let maxMemoryMin: UInt64 = 1 << 20

    let file: String
    /// The query, or its stages.
    let query: [String]
    var queryFile: String?
    var className: String?
    /// The properties to print, separated by commas.
    var properties: String?
    var sort: String?
    var limit: Int?
    var skip: Int?
    var counts = false
    /// The output that replaces the rows.
    var explanation: Explanation?
    var reportsCost = false
    var failsWithoutRows = false
    var wantsOne = false
    var version: VersionArgument?
    /// The values of `$name`.
    var arguments: QueryArguments = [:]
    /// A file with more values; the values above take precedence.
    var parameterFile: String?
    /// The time limit.
    var timeoutNanoseconds: UInt64?
    /// The memory for sorted and grouped rows.
    var maxMemory: ByteSize?
    /// The conversion of the records of a file that is not a database.
    var records = RecordForm()
    var rows = RowLayout()
    var progress = ProgressStyle.auto
    var isQuiet = false

    /// The output that replaces the rows of a query.
    enum Explanation {
        /// The plan.
        case plan
        /// The plan and the cost of running it.
        case analyzed
    }

    init(file: String, query: [String]) {
        self.file = file
        self.query = query
    }
}

extension QueryOptions {
    /// Parses a command line that consists only of a database, stages of a query, `-c`, `-f`,
    /// `--no-header`, `--count`, `--errors`, `--progress=json` and `-q`; returns `nil` for any other command line,
    /// which the parser then parses or rejects.
    ///
    /// See ``FastPathArguments``.
    init?(fastPath words: [String]) {
        var names: [String] = []
        var className: String?
        var format: RowFormat?
        var (isQuiet, hasHeader, counts) = (false, true, false)
        var progress = ProgressStyle.auto
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "-q", "--quiet": isQuiet = true
            case "--no-header": hasHeader = false
            case "--count": counts = true
            // The server asks for it.
            case "--progress=json": progress = .json
            case "--errors":
                // The command line is searched for it before it is parsed.
                guard rest.popFirst().flatMap(ErrorStyle.init(rawValue:)) != nil else { return nil }
            case "-c", "--class":
                guard className == nil, let name = rest.popFirst(), FastPathArguments.isName(name)
                else { return nil }
                className = name
            case "-f", "--format":
                guard format == nil, let chosen = rest.popFirst().flatMap(RowFormat.init(rawValue:))
                else { return nil }
                format = chosen
            default:
                guard FastPathArguments.isName(word) else { return nil }
                names.append(word)
            }
        }
        guard let file = names.first else { return nil }
        self.init(file: file, query: Array(names.dropFirst()))
        self.className = className
        self.isQuiet = isQuiet
        self.counts = counts
        self.progress = progress
        rows.format = format
        rows.hasHeader = hasHeader
    }
}
