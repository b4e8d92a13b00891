import FirnPlatform
import FirnTesting

/// The interactive shell of the real binary on a terminal, with a database of three people.
struct ShellHarness {
    let folder = TemporaryFolder()
    let runner: CommandRunner
    let file: String
    /// The environment of the shell: a home and a state folder of its own.
    var environment: [String: String]

    init() throws {
        runner = CommandRunner(try builtExecutable(named: "firn"))
        file = try runner.makePeople(
            "id,name,age,city\n7,Bo,41,Oslo\n9,Cy,33,Rome\n11,Al,52,Oslo\n", in: folder)
        environment = CommandRunner.plainEnvironment
        environment["HOME"] = folder.path
        environment["XDG_STATE_HOME"] = folder("state")
    }

    /// The history file of the sessions.
    var historyPath: String { folder("state/firn/history") }

    /// Starts a session and waits for its first prompt.
    func start(
        _ arguments: [String] = [], columns: UInt16 = 80, outputPath: String? = nil,
        prompt: String = "people> ", isQuiet: Bool = true
    ) throws -> TerminalSession {
        let session = try TerminalSession(
            runner.executable, [file] + (isQuiet ? ["-q"] : []) + arguments,
            environment: environment,
            columns: columns, in: folder.path, outputPath: outputPath)
        try session.wait(for: prompt)
        return session
    }

    /// Leaves the shell, even one that is still printing: a Ctrl-D that comes before the prompt is
    /// lost. A line that starts with a blank is not added to the history.
    func leave(_ session: TerminalSession) -> CommandResult {
        session.type(" .quit\r")
        return session.finish()
    }
}

/// Keys as sent by terminals.
enum Key {
    static let interrupt = "\u{3}"
    static let end = "\u{4}"
    static let tab = "\t"
    static let enter = "\r"
    static let up = "\u{1b}[A"
    static let left = "\u{1b}[D"
    static let backspace = "\u{7f}"
    static let suspend = "\u{1a}"
    static let edit = "\u{18}\u{5}"

    /// A pasted text as sent by terminals.
    static func paste(_ text: String) -> String { "\u{1b}[200~\(text)\u{1b}[201~" }
}
