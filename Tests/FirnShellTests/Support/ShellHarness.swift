import FirnFormats
import FirnPlatform
import FirnTesting
import FirnText
import FirnTools
import Testing

@testable import FirnShell

/// Runs shells in this process, with a real folder and streams in memory.
struct ShellHarness {
    let folder = TemporaryFolder()
    /// Whether standard output is a terminal.
    var isTerminal = false
    /// The options of the command line besides the file.
    var invocation = ShellInvocation()
    var variables: [String: String] = [:]

    struct Run {
        let ending: FirnCommand.Ending
        let output: String
        let errors: String
        /// The prompt of each line that was read.
        let prompts: [String]

        var status: Int32? {
            switch ending {
            case .status(let status): status.rawValue
            case .passed(let status): status
            case .signal: nil
            }
        }
    }

    /// Runs statements read from a file or pipe.
    func run(_ text: String, on file: String? = nil) -> Run {
        run(file) { environment in
            StreamLines(
                MemorySource(Array(text.utf8), name: "standard input"),
                notices: NotificationQueue(),
                pendingSignal: environment.pendingSignal)
        }
    }

    /// Runs typed statements, and leaves at their end.
    func talk(_ events: [LineEvent], on file: String? = nil) -> Run {
        run(file) { _ in TypedLines(events) }
    }

    func talk(_ lines: String..., on file: String? = nil) -> Run {
        talk(lines.map { .line($0) }, on: file)
    }

    private func run(_ file: String?, _ lines: (CommandEnvironment) -> any LineInput) -> Run {
        let output = MemorySink()
        let errors = MemorySink()
        let variables = variables
        var environment = CommandEnvironment(
            services: .real, input: MemorySource([]), output: output, errors: errors
        ) { variables[$0] }
        environment.outputIsTerminal = isTerminal
        environment.windowSize = { WindowSize(columns: 80, rows: 0) }
        // The command reports errors and chooses the status as usual.
        let typed = lines(environment)
        environment.shell = { [invocation] _, environment throws(CommandFailure) in
            var invocation = invocation
            invocation.file = file
            return try Shell.run(invocation, typed, environment)
        }
        let ending = FirnCommand.run(["repl"], in: environment)
        return Run(
            ending: ending, output: output.text, errors: errors.text,
            prompts: (typed as? TypedLines)?.prompts ?? [])
    }

    /// Creates `people.firn`: Bo (41, Oslo), Cy (33, Rome) and Al (52, Oslo).
    func makePeople(_ name: String = "people") throws -> String {
        let csv = folder("\(name).csv")
        try write("id,name,age,city\n7,Bo,41,Oslo\n9,Cy,33,Rome\n11,Al,52,Oslo\n", to: csv)
        let file = folder("\(name).firn")
        let errors = MemorySink()
        let environment = CommandEnvironment(
            services: .real, input: MemorySource([]), output: MemorySink(), errors: errors)
        let ending = FirnCommand.run(
            ["create", file, "--from", csv, "--class", "Person", "--key", "id", "-q"]
                + ["--type", "name=String", "--type", "age=Int", "--type", "city=String"],
            in: environment)
        try #require(ending == .status(.ok), "\(errors.text)")
        return file
    }

    func write(_ text: String, to path: String) throws {
        let file = try AtomicFile(path, .replaced, services: .real)
        var text = text
        try text.withUTF8 { try file.write(UnsafeRawBufferPointer($0)) }
        try file.commit()
    }

    func read(_ path: String) throws -> String {
        let file = try SystemServices.real.files.open(path, .readOnly)
        var bytes = [UInt8](repeating: 0, count: Int(try file.status().size))
        let count = try bytes.withUnsafeMutableBytes { try file.read(at: 0, into: $0) }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}

/// Typed lines that do not depend on the output.
final class TypedLines: LineInput {
    let isInteractive = true
    let notices = NotificationQueue()
    private var events: [LineEvent]
    private(set) var prompts: [String] = []
    private(set) var remembered: [String] = []

    init(_ events: [LineEvent]) { self.events = events.reversed() }

    func next(prompt: String, before: String) throws(CommandFailure) -> LineEvent {
        prompts.append(prompt)
        return events.popLast() ?? .end
    }

    func remember(_ statement: String) { remembered.append(statement) }
}
