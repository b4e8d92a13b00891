import FirnEngine
import FirnFormats
import FirnPlatform
import FirnQuery
import FirnText
import FirnTools
import FirnValues
import NIOHTTP1

/// A command that runs to answer a request, as it would in a shell.
///
/// Its standard output is the response. It sees no variables, no settings and no terminal, and it
/// stops when its caller says so, or when its time limit expires.
struct ServedCommand {
    let words: [String]
    var input: [UInt8] = []
    /// The time limit in nanoseconds; `nil` for none.
    ///
    /// It ends with a commit, whose report must arrive.
    var timeNanoseconds: UInt64?
    /// The database of the command, if it is open already.
    var database: Database?
    /// Receives its notes and its progress.
    var notes: any ByteSink = DiscardingSink()
    /// Called after a commit.
    var noteCommit: () -> Void = {}

    /// Runs the command on the calling thread.
    ///
    /// - Parameters:
    ///   - isStopped: Returns whether nobody needs the output any more.
    /// - Throws: ``Problem`` if the command fails; an exit status such as that of `diff` is not a failure.
    func run(
        _ files: ServedFiles, to sink: any ByteSink, isStopped: @escaping () -> Bool
    ) throws(Problem) {
        let clock = files.services.clock
        let deadline = timeNanoseconds.map { clock.monotonicNanoseconds() &+ $0 }
        var environment = CommandEnvironment(
            services: files.services, input: MemorySource(input, name: "the body"),
            output: sink, errors: notes)
        environment.storeOptions = files.options
        environment.outputName = "the response"
        let database = database
        environment.openDatabase = { path throws(StoreError) in
            if let database { return database }
            return try files.database(path)
        }
        var isCommitted = false
        environment.noteCommit = {
            isCommitted = true
            noteCommit()
        }
        environment.pendingSignal = {
            if isCommitted { return nil }
            if let deadline, clock.monotonicNanoseconds() >= deadline { return Signals.alarm }
            return isStopped() ? Signals.terminate : nil
        }
        environment.outputReadiness = { _ in isStopped() ? .abandoned : .ready }
        do throws(CommandFailure) {
            _ = try FirnCommand.perform(words, in: environment)
        } catch {
            throw problem(error)
        }
    }

    private func problem(_ failure: CommandFailure) -> Problem {
        switch failure {
        case .diagnostic(let diagnostic): return Problem(diagnostic)
        case .interrupted(Signals.alarm):
            let seconds = (timeNanoseconds ?? 0) / 1_000_000_000
            return Problem(
                .gatewayTimeout, .queryTimeout, "gave up after \(seconds) s",
                remedy: "ask for less, or start the server with a longer --timeout")
        case .interrupted:
            return .ending
        case .ended(let status):
            return Problem(
                .internalServerError, .internalError, "the command ended with \(status)")
        }
    }
}

/// Notes of a command, which a client does not see.
final class DiscardingSink: ByteSink {
    func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {}
}
