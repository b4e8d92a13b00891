package import FirnEngine
package import FirnFormats
package import FirnPlatform
package import FirnQuery
package import FirnText
import FirnValues

/// All external resources of a command, in one value that tests can replace.
package struct CommandEnvironment {
    package var services: SystemServices
    /// The options for new databases, and for the statements of a query.
    package var storeOptions = StoreOptions()
    package var input: any ByteSource
    package var output: any ByteSink
    package var errors: any ByteSink
    package var inputIsTerminal = false
    package var outputIsTerminal = false
    /// The name of standard output in errors.
    package var outputName = "standard output"
    package var errorsIsTerminal = false
    /// Whether data is escaped on standard output even if it is not a terminal, because the origin
    /// of the data and the program that displays it are unknown.
    package var alwaysEscapes = false
    /// Returns the current size of the window of standard output, which may change.
    package var windowSize: () -> WindowSize? = { nil }
    /// Returns the current width of the terminal of standard error; `nil` if it is not a terminal.
    package var errorColumns: () -> Int? = { nil }
    /// Starts reading single key presses; returns `nil` if there is no keyboard.
    package var takeKeys: () -> TerminalKeys? = { nil }
    /// Returns the value of an environment variable that is not empty.
    package var variable: (String) -> String?
    /// Returns the readiness of standard output without writing to it, after waiting up to this
    /// many nanoseconds if it is full.
    package var outputReadiness: (UInt64) -> OutputReadiness = { _ in .ready }
    /// Returns the names in a folder, for suggestions; empty if the folder cannot be read.
    package var namesInFolder: (String) -> [String] = { _ in [] }
    /// Called after each commit of a write, which is durable then.
    package var noteCommit: () -> Void = {}
    /// Returns a database that the caller keeps open; `nil` if each command opens its own.
    package var openDatabase: ((String) throws(StoreError) -> Database)?
    /// The format of errors and notes.
    var errorStyle = ErrorStyle.human
    /// The number of times that `-v` was given; -1 for `-q`.
    var verbosity = 0
    /// The user's settings, which ``variable`` already includes.
    var configuration: Configuration?
    /// Returns the signal that requests termination, if one arrived.
    package var pendingSignal: () -> Int32? = { nil }
    /// Clears the signal, because it stopped only a part of the process.
    package var forgetSignal: () -> Void = {}
    /// Makes ``pendingSignal`` return an alarm after this many nanoseconds.
    package var raiseAlarm: (UInt64) throws(PlatformError) -> Void = { _ in }
    /// Cancels the alarm, and clears it if it has arrived.
    package var endAlarm: () -> Void = {}
    /// The interactive shell, which only the program has.
    package var shell: RunShell?

    /// The width of the window of standard output, if there is one.
    var windowColumns: Int? { windowSize()?.columns }
    /// The height of the window; `nil` if there is no window or it has no height.
    package var windowRows: Int? { windowSize().flatMap { $0.rows > 0 ? $0.rows : nil } }

    /// Runs an interactive shell.
    package typealias RunShell =
        (ShellInvocation, CommandEnvironment) throws(CommandFailure) -> ExitStatus

    package init(
        services: SystemServices, input: any ByteSource, output: any ByteSink,
        errors: any ByteSink, variable: @escaping (String) -> String? = { _ in nil }
    ) {
        self.services = services
        self.input = input
        self.output = output
        self.errors = errors
        self.variable = variable
    }

    /// The environment of the current process.
    package static var real: CommandEnvironment {
        var environment = CommandEnvironment(
            services: .real, input: StreamSource(), output: StreamSink(.output),
            errors: StreamSink(.error)
        ) { name in
            Environment.variable(name).flatMap { $0.isEmpty ? nil : $0 }
        }
        environment.inputIsTerminal = StandardStream.input.isTerminal
        environment.outputIsTerminal = StandardStream.output.isTerminal
        environment.errorsIsTerminal = StandardStream.error.isTerminal
        environment.windowSize = { StandardStream.output.windowSize }
        environment.errorColumns = {
            StandardStream.error.isTerminal ? StandardStream.error.windowColumns : nil
        }
        environment.takeKeys = { TerminalKeys() }
        environment.outputReadiness = { nanoseconds in
            StandardStream.output.readiness(waitingNanoseconds: nanoseconds)
        }
        environment.namesInFolder = { FolderListing.names(in: $0) }
        environment.pendingSignal = { Signals.pending }
        environment.raiseAlarm = { nanoseconds throws(PlatformError) in
            try Signals.raiseAlarm(afterNanoseconds: nanoseconds)
        }
        environment.endAlarm = { Signals.endAlarm() }
        // There is a signal to clear only if the handlers were installed before.
        environment.forgetSignal = { try? Signals.install() }
        return environment
    }
}

/// Standard output or standard error.
private final class StreamSink: ByteSink {
    private let stream: StandardStream

    init(_ stream: StandardStream) { self.stream = stream }

    func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) { try stream.write(bytes) }

    func makeDurable() throws(PlatformError) { try stream.syncFile() }

    var endsInsideLine: Bool { stream.endsInsideLine }

    var isPipe: Bool { stream.isPipe }
}

/// Standard input.
private final class StreamSource: ByteSource {
    let name = "standard input"
    let size: UInt64? = nil
    var hasInput: Bool { StandardStream.input.hasInput }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(PlatformError) -> Int {
        try StandardStream.input.read(into: buffer)
    }
}
