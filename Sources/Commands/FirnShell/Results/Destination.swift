import FirnEngine
import FirnFormats
import FirnPlatform
import FirnTools
import FirnValues

/// The destination of a result: standard output, a file that appears when it is complete, or a
/// command.
final class Destination {
    /// The environment for the writer of the result.
    let environment: CommandEnvironment
    /// The format that the file name determines.
    let format: String?
    private let file: AtomicFile?
    private let command: CommandSink?
    private let pages: PagedSink?

    /// - Parameter pager: the command line of the pager for output longer than the screen.
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

    /// Whether the reader can stop before everything is written.
    private var mayHaveEnough: Bool { command != nil || pages != nil }

    /// Returns whether an error only means that the reader has stopped.
    func isEnough(_ failure: CommandFailure) -> Bool {
        mayHaveEnough && failure.isBrokenPipe
    }

    /// Completes the output.
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

    /// Removes incomplete output.
    func abandon() {
        file?.abandon()
        command?.pipe.finish()
        // The reported error has another cause.
        try? pages?.finish()
    }
}

/// The standard input of a command.
private final class CommandSink: ByteSink {
    let pipe: ShellPipe

    init(_ pipe: ShellPipe) { self.pipe = pipe }

    func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) { try pipe.write(bytes) }
}
