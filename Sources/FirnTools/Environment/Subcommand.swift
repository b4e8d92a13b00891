import ArgumentParser
import FirnPlatform

/// A command: its arguments are declared, parsed and then run against the surroundings.
protocol Subcommand: ParsableCommand {
    var common: CommonOptions { get }

    /// After how long it gives up; `nil` if it does not, or sees to that itself.
    var timeLimit: TimeSpan? { get }

    /// Whether FIRN_FILE may be the database.
    static var usesDefaultFile: Bool { get }

    /// The words as the parser is to see them.
    static func arranged(_ words: [String]) -> [String]

    /// Runs a command line that means what it says without the parser; `nil` if it needs the parser.
    static func runFastPath(
        _ words: [String], in environment: CommandEnvironment
    ) throws(CommandFailure) -> ExitStatus?

    func run(in environment: CommandEnvironment) throws(CommandFailure) -> ExitStatus
}

extension Subcommand {
    var timeLimit: TimeSpan? { nil }

    static var usesDefaultFile: Bool { true }

    static func arranged(_ words: [String]) -> [String] { words }

    /// Reads the words with the parser.
    ///
    /// - Throws: what the parser has to say, the text of `--help` among it.
    static func parsed(_ words: [String]) throws -> Self { try parse(arranged(words)) }

    static func runFastPath(
        _ words: [String], in environment: CommandEnvironment
    ) throws(CommandFailure) -> ExitStatus? { nil }
}

extension CommandEnvironment {
    /// Whether what could harm a terminal must not reach standard output.
    var escapesOutput: Bool { outputIsTerminal || alwaysEscapes }

    /// Standard output for data as it is; a terminal is kept from what could harm it.
    var dataOutput: any ByteSink { escapesOutput ? TerminalSafeSink(output) : output }

    /// Writes a text to standard output; a terminal is kept from what could harm it.
    package func print(_ text: String) throws(CommandFailure) {
        let text = escapesOutput ? TerminalSafeSink.escaping(text) : text
        do { try CommandEnvironment.write(text, to: output) } catch {
            throw CommandFailure(writing: outputName, error)
        }
    }

    /// Writes the report of a change that is on disk.
    ///
    /// - Parameter done: what was done, such as `committed version 3 of app.firn`.
    func printReport(_ text: String, of done: String) throws(CommandFailure) {
        do throws(CommandFailure) { try print(text) } catch { throw error.after(done) }
    }

    /// Writes a text to standard error.
    ///
    /// That it cannot be written is nowhere left to tell.
    package func tell(_ text: String) {
        // What is said of a result stands below it, and never in the middle of a pager.
        if let pages = output as? PagedSink { try? pages.finish() }
        try? CommandEnvironment.write(text, to: errors)
    }

    /// Says something that is no error: a hint, a warning, what something cost.
    ///
    /// - Parameter text: ends with a line feed. Where errors are JSON, it becomes JSON, too.
    func note(_ text: String) {
        guard errorStyle == .json else { return tell(text) }
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "note")
        json.add("message", String(text.dropLast()))
        tell(TerminalSafeSink.escaping(json.text) + "\n")
    }

    /// Whether a signal asks for the end, for work that is asked now and then whether to give up.
    package var isInterrupted: () -> Bool { { pendingSignal() != nil } }

    /// Ends the command if a signal asks for it.
    package func checkSignals() throws(CommandFailure) {
        if let signal = pendingSignal() { throw .interrupted(signal: signal) }
    }

    private static func write(_ text: String, to sink: any ByteSink) throws(PlatformError) {
        var text = text
        let result = text.withUTF8 { utf8 in
            Result { () throws(PlatformError) in try sink.write(UnsafeRawBufferPointer(utf8)) }
        }
        try result.get()
    }
}
