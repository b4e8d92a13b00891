package import FirnEngine
package import FirnPlatform

/// Everything that a command touches outside of its arguments, in one value that tests replace.
package struct CommandEnvironment {
    package var services: SystemServices
    /// How new databases are made.
    package var storeOptions = StoreOptions()
    package var input: any ByteSource
    package var output: any ByteSink
    package var errors: any ByteSink
    package var inputIsTerminal = false
    package var outputIsTerminal = false
    /// What errors call standard output.
    package var outputName = "standard output"
    package var errorsIsTerminal = false
    /// Whether data is escaped for standard output also where that is no terminal: whose it is, is not
    /// known, and neither is what will show it.
    package var alwaysEscapes = false
    /// The size of the window behind standard output now, which may change.
    package var windowSize: () -> WindowSize? = { nil }
    /// Begins to take the keys that are pressed one by one; `nil` if nobody presses any.
    package var takeKeys: () -> TerminalKeys? = { nil }
    /// The value of an environment variable that is not empty.
    package var variable: (String) -> String?
    /// What can be said of standard output without writing to it, after waiting so many nanoseconds
    /// if it is full.
    package var outputReadiness: (UInt64) -> OutputReadiness = { _ in .ready }
    /// The names in a folder, to find what may have been meant; none if it cannot be read.
    package var namesInFolder: (String) -> [String] = { _ in [] }
    /// How errors and notes are written.
    var errorStyle = ErrorStyle.human
    /// How often `-v` was given; -1 for `-q`.
    var verbosity = 0
    /// The settings of the user, which ``variable`` shows already.
    var configuration: Configuration?
    /// The signal that asks the process to end, if one came.
    package var pendingSignal: () -> Int32? = { nil }
    /// Forgets that signal, because it asked for the end of something smaller than the process.
    package var forgetSignal: () -> Void = {}
    /// Lets ``pendingSignal`` be an alarm once so many nanoseconds are over.
    package var raiseAlarm: (UInt64) throws(PlatformError) -> Void = { _ in }
    /// Takes that back, and forgets the alarm if it came.
    package var endAlarm: () -> Void = {}
    /// The interactive shell, which only the program itself has.
    package var shell: Shell?

    /// The columns of the window behind standard output, if there is one.
    var windowColumns: Int? { windowSize()?.columns }
    /// Its rows; `nil` if there is no window or it has no height.
    package var windowRows: Int? { windowSize().flatMap { $0.rows > 0 ? $0.rows : nil } }

    /// Runs an interactive shell.
    package typealias Shell =
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

    /// The process that this is.
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
        // That they were installed before is why there is one to forget.
        environment.forgetSignal = { try? Signals.install() }
        return environment
    }
}

/// Standard output or standard error.
private final class StreamSink: ByteSink {
    private let stream: StandardStream

    init(_ stream: StandardStream) { self.stream = stream }

    func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) { try stream.write(bytes) }
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
