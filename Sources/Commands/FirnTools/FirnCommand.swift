import ArgumentParser
import FirnEngine
package import FirnFormats
import FirnPlatform
import FirnValues

/// The `firn` command: selects a command by its first word, runs it, and prints its errors.
package enum FirnCommand {
    package static let version = ProgramVersion.number

    /// The outcome of a run.
    package enum Ending: Hashable, Sendable {
        case status(ExitStatus)
        /// The status of a command that this command ran.
        case passed(Int32)
        /// The process must die of this signal, so that the shell sees it.
        case signal(Int32)
    }

    /// Runs the current process as `firn`, and exits.
    ///
    /// - Parameter shell: the interactive shell, which is a layer above the commands.
    package static func main(shell: @escaping CommandEnvironment.RunShell) -> Never {
        // A database must not get the file descriptor of a closed standard stream.
        do { try StandardStream.openMissing() } catch {
            ProcessExit.exit(ExitStatus.inputOutput.rawValue)
        }
        // Without the handlers, a signal would kill the process and leave a temporary file.
        try? Signals.install()
        var environment = CommandEnvironment.real
        environment.shell = shell
        refuseDatabases(environment)
        let arguments = Environment.arguments
        // A command line that was lost must not become that of the shell or of the help.
        guard !arguments.isEmpty else {
            environment.report(
                .usage("the program was started without a name: it has no arguments at all"),
                errorStyle([], environment))
            ProcessExit.exit(ExitStatus.usage.rawValue)
        }
        switch run(Array(arguments.dropFirst()), in: environment) {
        case .status(let status): ProcessExit.exit(status.rawValue)
        case .passed(let status): ProcessExit.exit(status)
        case .signal(let signal): ProcessExit.raise(signal: signal)
        }
    }

    /// Exits if output would be written into a database, as after `1<>a.firn` and `2>>a.firn`.
    private static func refuseDatabases(_ environment: CommandEnvironment) {
        for stream in [StandardStream.error, .output] {
            guard let status = try? stream.status(), status.kind == .regular, status.size > 0,
                (try? DatabaseFile.isPart(of: stream.path, environment.services.files)) == true
            else { continue }
            if stream == .output {
                let error = PlatformError(.notReplaceable, operation: "write", path: stream.path)
                if case .diagnostic(let diagnostic) = CommandFailure(writing: stream.name, error) {
                    environment.report(diagnostic, errorStyle([], environment))
                }
            }
            ProcessExit.exit(ExitStatus.cannotCreate.rawValue)
        }
    }

    /// - Parameter words: the command line without the name of the program.
    package static func run(_ words: [String], in environment: CommandEnvironment) -> Ending {
        var environment = environment
        environment.errorStyle = errorStyle(words, environment)
        do {
            environment = try environment.configured(for: words)
            environment.errorStyle = errorStyle(words, environment)
        } catch { return ending(of: error, words, in: environment) }
        let pages = environment.pages(for: words)
        if let pages { environment.output = pages }
        do throws(CommandFailure) {
            let status = try perform(words, in: environment)
            do { try pages?.finish() } catch {
                throw CommandFailure(writing: "standard output", error)
            }
            return .status(status)
        } catch {
            // Quitting the pager before everything is written is not an error.
            let isEnough = error.isBrokenPipe && pages != nil
            // The reported error has another cause.
            try? pages?.finish()
            if isEnough { return .status(.ok) }
            return ending(of: error, words, in: environment)
        }
    }

    /// Prints an error, and returns the outcome of the run.
    private static func ending(
        of failure: CommandFailure, _ words: [String], in environment: CommandEnvironment
    ) -> Ending {
        switch failure {
        case .interrupted(let signal): return .signal(signal)
        case .ended(let status): return .passed(status)
        case .diagnostic(let diagnostic):
            let shown = diagnostic.suggestingFiles(environment, typed: words)
                .suggestingDatabase(environment)
            environment.report(shown, environment.errorStyle)
            return .status(diagnostic.status)
        }
    }

    /// Runs a command line; the caller prints the errors.
    package static func perform(
        _ words: [String], in environment: CommandEnvironment
    ) throws(CommandFailure) -> ExitStatus {
        let words = CommandLineWords(words)
        guard let name = words.command else { return try withoutCommand(words, environment) }
        if name == "help" {
            return try help(words.arguments.first(where: FastPathArguments.isName), environment)
        }
        if let program = CompanionProgram(rawValue: name) { try program.run(words.arguments) }
        if let command = CommandName(rawValue: name) {
            try checkErrorStyle(words, environment)
            return try run(command.type, words.arguments, environment)
        }
        try checkFile(name, environment)
        return try openShell(name, words.arguments, environment)
    }

    private static func openShell(
        _ file: String, _ arguments: [String], _ environment: CommandEnvironment
    ) throws(CommandFailure) -> ExitStatus {
        do {
            return try run(ReplCommand.self, [file] + arguments, environment)
        } catch {
            // Users often type a query after a file.
            guard case .diagnostic(var diagnostic) = error, diagnostic.slug == .usageArguments,
                diagnostic.message.lowercased().contains("unexpected argument")
            else { throw error }
            let names = arguments.filter(FastPathArguments.isName)
            if let command = ForeignOption.command(for: names, file: file) {
                diagnostic.remedy = "outside the shell: \(command)"
                throw .diagnostic(diagnostic)
            }
            let words = ([file] + names).map(ShellWord.quoted).joined(separator: " ")
            diagnostic.remedy = "to query it: firn query \(words)"
            throw .diagnostic(diagnostic)
        }
    }

    /// Checks whether a word that is not a command is a file, to be opened in the shell.
    private static func checkFile(
        _ name: String, _ environment: CommandEnvironment
    ) throws(CommandFailure) {
        do {
            if try environment.services.files.status(of: name) != nil { return }
        } catch {
            // Opening the file reports why it cannot be examined.
            return
        }
        if InputPattern.isPattern(name) { return }
        guard name.contains("/") || name.hasSuffix(".firn") else {
            let files = environment.namesInFolder(".").filter { $0.hasSuffix(".firn") }
            throw unknown(name, files: files)
        }
        var diagnostic = Diagnostic(.fileMissing, "\(SafeText.escaping(name)): no such database")
        diagnostic.file = name
        diagnostic.remedy = "create it with: firn create \(name) --from INPUT"
        throw .diagnostic(diagnostic)
    }

    private static func run<Command: Subcommand>(
        _ type: Command.Type, _ arguments: [String], _ environment: CommandEnvironment
    ) throws(CommandFailure) -> ExitStatus {
        do throws(CommandFailure) { return try runHere(type, arguments, environment) } catch {
            guard let words = withDefaultFile(type, arguments, after: error, environment) else {
                throw error
            }
            return try runHere(type, words, environment)
        }
    }

    /// Returns the words with the database of FIRN_FILE before them, if the first of them was taken
    /// for a database that does not exist, and cannot be meant as the name of a file.
    private static func withDefaultFile<Command: Subcommand>(
        _ type: Command.Type, _ arguments: [String], after failure: CommandFailure,
        _ environment: CommandEnvironment
    ) -> [String]? {
        guard type.usesDefaultFile, case .diagnostic(let diagnostic) = failure,
            diagnostic.slug == .fileMissing, let name = diagnostic.file,
            let file = environment.variable("FIRN_FILE"), name != file,
            arguments.first(where: FastPathArguments.isName) == name,
            !name.contains(where: { "/.".contains($0) }) || name.contains(" ")
        else { return nil }
        return [file.hasPrefix("-") ? "./" + file : file] + arguments
    }

    private static func runHere<Command: Subcommand>(
        _ type: Command.Type, _ arguments: [String], _ environment: CommandEnvironment
    ) throws(CommandFailure) -> ExitStatus {
        if let (options, verbosity) = type.fastPath(arguments) {
            var environment = environment
            environment.verbosity = verbosity
            return try finished(try Command.Run(options, environment), environment)
        }
        let command: Command
        do { command = try type.parsed(arguments) } catch {
            // A request for help or the version is an error to the parser, but not to the user.
            if type.exitCode(for: error) == .success {
                try environment.print(type.fullMessage(for: error) + "\n")
                return .ok
            }
            let message = UsageMessage(type.message(for: error), words: arguments)
            // Only if no word can be meant as the database.
            if message.lacksFile, type.usesDefaultFile,
                let file = environment.variable("FIRN_FILE")
            {
                let word = file.hasPrefix("-") ? "./" + file : file
                return try runHere(type, [word] + arguments, environment)
            }
            throw .diagnostic(
                moreSpecificError(than: message, type, arguments).diagnostic(of: type._commandName))
        }
        var environment = environment
        environment.verbosity = command.common.verbosity
        let account = CommandAccount(beginning: environment)
        defer { account.report() }
        return try environment.limiting(to: command.timeLimit) { () throws(CommandFailure) in
            try finished(try Command.Run(command.options, environment), environment)
        }
    }

    /// Runs a command; after Ctrl-C, reports what is and what is not on disk.
    private static func finished(
        _ run: some CommandRun, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> ExitStatus {
        do { return try run.run() } catch {
            if case .interrupted(let signal) = error,
                signal == Signals.interrupt || signal == Signals.terminate,
                environment.verbosity >= 0, let state = run.stateAfterInterruption()
            {
                environment.note("interrupted: \(state)\n")
            }
            throw error
        }
    }

    /// Returns an error other than the missing database, if there is one.
    private static func moreSpecificError<Command: Subcommand>(
        than message: UsageMessage, _ type: Command.Type, _ arguments: [String]
    ) -> UsageMessage {
        guard message.lacksFile, !arguments.isEmpty else { return message }
        do { _ = try type.parsed(["FILE"] + arguments) } catch {
            return UsageMessage(type.message(for: error), words: arguments)
        }
        return message
    }

    private static func withoutCommand(
        _ words: CommandLineWords, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> ExitStatus {
        if words.arguments.contains("--version") {
            try environment.print(ProgramVersion.text + "\n")
            return .ok
        }
        let asksForHelp = words.arguments.contains("--help") || words.arguments.contains("-h")
        let isAtTerminal =
            environment.inputIsTerminal && environment.outputIsTerminal
            && environment.errorsIsTerminal
        if words.arguments.isEmpty, isAtTerminal, environment.variable("FIRN_FILE") != nil {
            return try run(ReplCommand.self, [], environment)
        }
        guard words.arguments.isEmpty || asksForHelp else {
            throw .diagnostic(noCommand(words))
        }
        if isAtTerminal, !asksForHelp, let guide = FolderGuide(environment) {
            try environment.print(guide.text)
        } else {
            try environment.print(shortHelp)
        }
        return .ok
    }

    private static func noCommand(_ words: CommandLineWords) -> Diagnostic {
        var diagnostic = Diagnostic.usage("no command given")
        diagnostic.suggestions =
            words.arguments.lazy.map {
                NearestNames.misspelt($0, among: ["--help", "--version"])
            }.first { !$0.isEmpty } ?? []
        diagnostic.remedy =
            diagnostic.suggestions.first.map { "did you mean \"\($0)\"?" } ?? "see: firn help"
        return diagnostic
    }

    private static func help(
        _ topic: String?, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> ExitStatus {
        guard let topic else {
            try environment.print(shortHelp)
            return .ok
        }
        if let program = CompanionProgram(rawValue: topic) { try program.run(["--help"]) }
        if let topic = HelpTopic(rawValue: topic) {
            try environment.print(topic.text)
            return .ok
        }
        guard let command = CommandName(rawValue: topic) else {
            throw unknown(topic, "command or topic", HelpTopic.allCases.map(\.rawValue))
        }
        try environment.print(command.type.helpMessage() + "\n")
        return .ok
    }

    private static func unknown(
        _ name: String, _ what: String = "command", _ others: [String] = ["help", "sync", "serve"],
        files: [String] = []
    ) -> CommandFailure {
        var diagnostic = Diagnostic(
            .usageUnknownCommand, "unknown \(what) \"\(SafeText.escaping(name))\"")
        let names = CommandName.allCases.map(\.rawValue) + others
        // A user who forgets the suffix types only the stem.
        let stems = files.map { String($0.dropLast(".firn".count)) }
        var nearest = NearestNames.misspelt(name, among: names + stems)
        if stems.contains(name) { nearest.insert(name, at: 0) }
        // A synonym from another program takes precedence over a similar spelling.
        if let meant = CommandName(otherName: name) { nearest = [meant.rawValue] }
        diagnostic.suggestions = nearest.reduce(into: []) { kept, found in
            let shown = names.contains(found) ? found : found + ".firn"
            if !kept.contains(shown) { kept.append(shown) }
        }
        diagnostic.remedy =
            CommandName.command(forOtherName: name).map { "use: \($0)" }
            ?? diagnostic.suggestions.first.map { "did you mean \"\($0)\"?" } ?? "see: firn help"
        return .diagnostic(diagnostic)
    }

    /// Returns the error format, which must be known even if the command line cannot be parsed.
    private static func errorStyle(_ words: [String], _ environment: CommandEnvironment)
        -> ErrorStyle
    {
        var style = environment.variable("FIRN_ERRORS").flatMap { ErrorStyle(rawValue: $0) }
        for (index, word) in words.enumerated() {
            if word == "--" { break }
            if word == "--errors", index + 1 < words.count {
                style = ErrorStyle(rawValue: words[index + 1]) ?? style
            } else if word.hasPrefix("--errors=") {
                style = ErrorStyle(rawValue: String(word.dropFirst(9))) ?? style
            }
        }
        return style ?? .human
    }

    /// Rejects an unknown error format, as an unknown result format is rejected; help is never
    /// rejected.
    private static func checkErrorStyle(
        _ words: CommandLineWords, _ environment: CommandEnvironment
    ) throws(CommandFailure) {
        guard let name = environment.variable("FIRN_ERRORS"), ErrorStyle(rawValue: name) == nil,
            !words.arguments.contains(where: { $0 == "--help" || $0.hasPrefix("--errors") })
        else { return }
        throw .diagnostic(
            .usage(
                "FIRN_ERRORS is \"\(SafeText.escaping(name))\", which is not an error format",
                remedy: "choose human or json"))
    }

    private static var shortHelp: String {
        var text = """
            firn \(version): an object database in one file

            firn COMMAND FILE ...    or, for the interactive shell: firn FILE

            """
        let width = CommandName.allCases.map(\.rawValue.count).max() ?? 0
        for command in CommandName.allCases {
            let padding = String(repeating: " ", count: width - command.rawValue.count)
            text += "  \(command.rawValue)\(padding)  \(command.summary)\n"
        }
        for program in CompanionProgram.allCases {
            let name = program.rawValue
            let gap = String(repeating: " ", count: width - name.count)
            text += "  \(name)\(gap)  \(program.summary)\n"
        }
        text += """

            firn help COMMAND shows the options of a command. firn help TOPIC explains
            \(HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")).

              firn create people.firn --from people.csv --class Person --key id
              firn query people.firn 'Person age > 35 SORT(age DESC)'

            """
        return text
    }
}

extension FirnCommand {
    /// The topics of `firn help` other than commands.
    package static var topicNames: [String] { HelpTopic.allCases.map(\.rawValue) }

    /// Returns the text of a topic, or `nil` if there is no such topic.
    package static func topicText(_ name: String) -> String? { HelpTopic(rawValue: name)?.text }
}

extension CommandName {
    /// The type of the command; only this type is reflected, because reflecting all would cost two
    /// milliseconds per start.
    var type: any Subcommand.Type {
        switch self {
        case .create: CreateCommand.self
        case .query: QueryCommand.self
        case .write: WriteCommand.self
        case .observe: ObserveCommand.self
        case .alter: AlterCommand.self
        case .export: ExportCommand.self
        case .freeze: FreezeCommand.self
        case .log: LogCommand.self
        case .diff: DiffCommand.self
        case .compact: CompactCommand.self
        case .schema: SchemaCommand.self
        case .stats: StatsCommand.self
        case .check: CheckCommand.self
        case .repl: ReplCommand.self
        case .completions: CompletionsCommand.self
        }
    }
}
