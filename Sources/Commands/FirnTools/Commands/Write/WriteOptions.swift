import FirnFormats
import FirnQuery
import FirnValues

/// The options of `write`, as plain values.
struct WriteOptions: Hashable {
    let file: String
    /// The steps, in the order of the command line.
    let steps: [WriteStep]
    var className: String?
    var policy = WritePolicy.insert
    var key: String?
    var inputFormat = WriteFormat.auto
    /// The conversion of records to objects.
    var records = RecordForm()
    /// The values of `$name` in statements.
    var arguments: QueryArguments = [:]
    var creates = false
    var addsProperties = false
    var batch: UInt64?
    /// The file that stores the position of an applied stream.
    var cursorFile: String?
    var ifVersion: UInt64?
    /// The note on each commit; empty for none.
    var note = ""
    var isDryRun = false
    var returnsObjects = false
    /// Whether the input is untrusted, and no other file may be accessed.
    var isSafe = false
    var report = ReportFormat.auto
    var wait: TimeSpan?
    var progress = ProgressStyle.auto
    var isQuiet = false
    var errors: ErrorStyle?

    /// The files that are read.
    var inputs: [String] {
        steps.compactMap { step in
            guard case .input(let path) = step, path != "-" else { return nil }
            return path
        }
    }

    init(file: String, steps: [WriteStep]) {
        self.file = file
        self.steps = steps
    }
}

extension WriteOptions {
    /// Parses a command line that consists only of a database, inputs, `-x`, `-c` and `-q`; returns
    /// `nil` for any other command line, which the parser then parses or rejects.
    ///
    /// See ``FastPathArguments``.
    init?(fastPath words: [String]) {
        var plain: [WriteStep] = []
        var className: String?
        var isQuiet = false
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "-q", "--quiet": isQuiet = true
            case "-x", "--execute":
                guard let statement = rest.popFirst() else { return nil }
                plain.append(.statement(statement))
            case "-c", "--class":
                guard className == nil, let name = rest.popFirst(), FastPathArguments.isName(name)
                else { return nil }
                className = name
            default:
                guard FastPathArguments.isName(word) else { return nil }
                plain.append(.input(word))
            }
        }
        guard case .input(let file)? = plain.first, plain.count > 1 else { return nil }
        self.init(file: file, steps: Array(plain.dropFirst()))
        self.className = className
        self.isQuiet = isQuiet
    }
}
