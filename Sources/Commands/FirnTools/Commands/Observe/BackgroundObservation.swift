import FirnFormats
package import FirnPlatform
package import FirnQuery
import FirnText
import FirnValues

/// `firn observe` on a background thread of the interactive shell, with a readable line per object.
package struct BackgroundObservation: Sendable {
    private let file: String
    private let query: String
    private let className: String?
    private let arguments: QueryArguments
    private let lines: ChangeLines

    /// - Parameters:
    ///   - environment: the environment, with the window that the lines must fit.
    ///   - prefix: the text before each line.
    package init(
        file: String, query: String, className: String?, arguments: QueryArguments,
        _ environment: CommandEnvironment, behind prefix: String
    ) {
        self.file = file
        self.query = query
        self.className = className
        self.arguments = arguments
        lines = ChangeLines(environment, behind: prefix)
    }

    /// Runs until it is stopped.
    ///
    /// - Returns: the reason, if it ended on its own.
    package func run(
        _ services: SystemServices, isStopped: @escaping () -> Bool,
        _ report: @escaping (String) -> Void
    ) -> String? {
        var environment = CommandEnvironment(
            services: services, input: MemorySource([]), output: LineSink(lines, report),
            errors: MemorySink())
        environment.pendingSignal = { isStopped() ? Signals.terminate : nil }
        var options = ObserveOptions(file: file, query: [query])
        options.className = className
        options.arguments = arguments
        options.shape = .rows
        options.initial = .none
        do {
            _ = try ObserveRun(options, environment).run()
            return "ended"
        } catch {
            switch error {
            case .diagnostic(let diagnostic):
                return "ended: \(SafeText.escaping(diagnostic.message))"
            case .ended(let status): return "ended with status \(status)"
            case .interrupted: return nil
            }
        }
    }
}

/// Converts lines for programs to lines for people.
private final class LineSink: ByteSink {
    private let lines: ChangeLines
    private let report: (String) -> Void
    private var splitter = LineSplitter()

    init(_ lines: ChangeLines, _ report: @escaping (String) -> Void) {
        self.lines = lines
        self.report = report
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {
        for line in splitter.lines(endingIn: bytes) {
            guard let record = ChangeLines.record(line) else { continue }
            if let text = lines.text(record) {
                report(lines.cut(text))
            } else if ChangeLines.string(record["type"]) == "reset" {
                report("started again")
            }
        }
    }
}
