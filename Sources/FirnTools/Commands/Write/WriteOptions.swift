import FirnEngine
import FirnPlatform
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
    var types: [DeclaredType] = []
    var links: [LinkRequest] = []
    var names = FieldNames()
    var nullText: String?
    var isExact = false
    /// The values of `$name` in statements.
    var arguments: [String: Value] = [:]
    var creates = false
    var addsProperties = false
    var batch: UInt64?
    /// The file that stores the position of an applied stream.
    var cursorFile: String?
    var onError = OnError.abort
    var ifVersion: UInt64?
    var isDryRun = false
    var returnsObjects = false
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

    func run(in environment: CommandEnvironment) throws(CommandFailure) -> ExitStatus {
        let line = Progress(progress, quiet: isQuiet, environment)
        defer { line.clear() }
        return try WriteRun(self, line, environment).run()
    }
}
