import ArgumentParser
package import FirnFormats
import FirnPlatform
import FirnValues

/// A command, which consists of three types.
///
///     arguments   the type itself: the command line as the parser accepts it, with its help
///     options     everything that the command line decides; the arguments themselves, except where
///                 options are also made without a parser, which arguments cannot be
///     run         a type that does the work with the options, in an environment
protocol Subcommand: ParsableCommand {
    associatedtype Run: CommandRun

    var common: CommonOptions { get }

    /// Everything that the arguments determine.
    var options: Run.Options { get }

    /// The time limit; `nil` if there is none, or if the command handles it.
    var timeLimit: TimeSpan? { get }

    /// Whether FIRN_FILE can name the database.
    static var usesDefaultFile: Bool { get }

    /// Returns the words for the parser.
    static func arranged(_ words: [String]) -> [String]

    /// Returns the options of a command line that needs no parser, and the level of its messages;
    /// see ``FastPathArguments``.
    static func fastPath(_ words: [String]) -> (options: Run.Options, verbosity: Int)?
}

/// One run of a command.
protocol CommandRun {
    associatedtype Options

    init(_ options: Options, _ environment: CommandEnvironment) throws(CommandFailure)

    func run() throws(CommandFailure) -> ExitStatus

    /// Returns what is and what is not on disk after an interruption, such as `app.firn is
    /// unchanged`; `nil` if the command reports it itself.
    func stateAfterInterruption() -> String?
}

extension CommandRun {
    func stateAfterInterruption() -> String? { nil }
}

extension Subcommand {
    var timeLimit: TimeSpan? { nil }

    /// Whether only errors and results are printed.
    var isQuiet: Bool { common.quiet }

    static var usesDefaultFile: Bool { true }

    static func arranged(_ words: [String]) -> [String] { words }

    /// Parses the words.
    ///
    /// - Throws: the message of the parser, including the text of `--help`.
    static func parsed(_ words: [String]) throws -> Self { try parse(arranged(words)) }

    static func fastPath(_ words: [String]) -> (options: Run.Options, verbosity: Int)? { nil }
}

extension Subcommand where Run.Options == Self {
    var options: Self { self }
}

extension CommandEnvironment {
    /// Whether standard output must escape characters that could harm a terminal.
    var escapesOutput: Bool { outputIsTerminal || alwaysEscapes }

    /// Standard output for unchanged data, escaped on a terminal.
    var dataOutput: any ByteSink { escapesOutput ? TerminalSafeSink(output) : output }

    /// Writes a text to standard output, escaped on a terminal.
    package func print(_ text: String) throws(CommandFailure) {
        let text = escapesOutput ? TerminalSafeSink.escaping(text) : text
        do { try CommandEnvironment.write(text, to: output) } catch {
            throw CommandFailure(writing: outputName, error)
        }
    }

    /// Writes the report of a durable change.
    ///
    /// - Parameter done: the completed change, such as `committed version 3 of app.firn`.
    func printReport(_ text: String, of done: String) throws(CommandFailure) {
        do { try print(text) } catch { throw error.after(done) }
    }

    /// Writes a text to standard error.
    ///
    /// A write error is ignored, because it cannot be reported anywhere.
    package func report(_ text: String) {
        // A message about a result follows it, and never appears inside a pager.
        if let pages = output as? PagedSink { try? pages.finish() }
        try? CommandEnvironment.write(text, to: errors)
    }

    /// Writes or removes a progress line, while the output may not be complete.
    func reportProgress(_ text: String) { try? CommandEnvironment.write(text, to: errors) }

    /// Writes a text for people to standard error, in the width and the characters of the terminal.
    package func reportToPeople(_ text: String) {
        report(WrappedText.wrapping(plain(text), columns: errorColumns()))
    }

    /// Writes an error to standard error.
    package func report(_ diagnostic: Diagnostic, _ style: ErrorStyle) {
        let columns = errorColumns()
        let text = diagnostic.rendered(style, columns: columns)
        report(style == .human ? plain(text) : text)
    }

    /// Returns a text of our own for this terminal: in ASCII if the locale is not UTF-8.
    package func plain(_ text: String) -> String {
        drawsUnicode ? text : ASCIIText.text(text)
    }

    /// Whether the terminal shows characters outside ASCII.
    package var drawsUnicode: Bool { TerminalStyle.usesUnicode(self) }

    /// Prints a message that is not an error: a hint, a warning, a cost.
    ///
    /// - Parameter text: the message, which ends with a line feed. If errors are JSON, it is
    ///   written as JSON too.
    func note(_ text: String) {
        guard errorStyle == .json else { return reportToPeople(text) }
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "note")
        json.add("message", String(text.dropLast()))
        report(TerminalSafeSink.escaping(json.text) + "\n")
    }

    /// Returns whether a signal requests termination, for work that checks it periodically.
    package var isInterrupted: () -> Bool { { pendingSignal() != nil } }

    /// Throws if a signal requests termination.
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
