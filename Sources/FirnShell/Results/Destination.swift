import FirnEngine
import FirnPlatform
import FirnTools
import FirnValues

/// Where a result goes: standard output, a file that appears when it is complete, or a command that
/// reads it.
final class Destination {
    /// The surroundings of whoever writes the result.
    let environment: CommandEnvironment
    /// The format that the name of the file asks for.
    let format: String?
    private let file: AtomicFile?
    private let command: CommandSink?
    private let pages: PagedSink?

    /// - Parameter pager: the command line of a program that shows what does not fit the screen.
    init(
        _ target: Settings.Target, pager: String?, _ environment: CommandEnvironment
    ) throws(CommandFailure) {
        var inner = environment
        var file: AtomicFile?
        var command: CommandSink?
        var pages: PagedSink?
        var format: String?
        switch target {
        case .standard:
            if let pager, environment.outputIsTerminal, let rows = environment.windowRows {
                let sink = PagedSink(environment.output, rows: rows, pager: pager)
                pages = sink
                inner.output = sink
            }
        case .file(let path):
            format = PrintedQuery.format(of: path)
            do {
                let opened = try AtomicFile(path, .replaced, services: environment.services)
                file = opened
                inner.output = opened
            } catch { throw CommandFailure(writing: path, error) }
            inner.outputIsTerminal = false
            inner.outputName = SafeText.escaping(path)
        case .command(let line):
            do {
                let sink = CommandSink(try ShellPipe(line))
                command = sink
                inner.output = sink
            } catch { throw .diagnostic(Diagnostic(error, "cannot start the command")) }
            inner.outputIsTerminal = false
            inner.outputName = "the command"
        }
        self.environment = inner
        self.format = format
        self.file = file
        self.command = command
        self.pages = pages
    }

    /// Whether whoever reads may end before everything was written.
    private var mayHaveEnough: Bool { command != nil || pages != nil }

    /// Whether an error only says that whoever reads has enough.
    func isEnough(_ failure: CommandFailure) -> Bool {
        mayHaveEnough && failure.isBrokenPipe
    }

    /// Completes what was written.
    func commit() throws(CommandFailure) {
        if let file {
            do { try file.commit() } catch { throw CommandFailure(writing: file.path, error) }
        }
        if let pages {
            do { try pages.finish() } catch {
                throw CommandFailure(writing: "standard output", error)
            }
        }
        guard let status = command?.pipe.finish(), status != 0 else { return }
        throw .diagnostic(
            Diagnostic(.outputFailed, "the command exited with status \(status)"))
    }

    /// Removes what is not complete.
    func abandon() {
        file?.abandon()
        command?.pipe.finish()
        // The error that is told has another cause.
        try? pages?.finish()
    }
}

/// What a command reads.
private final class CommandSink: ByteSink {
    let pipe: ShellPipe

    init(_ pipe: ShellPipe) { self.pipe = pipe }

    func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) { try pipe.write(bytes) }
}
