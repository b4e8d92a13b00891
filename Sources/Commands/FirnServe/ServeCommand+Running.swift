import ArgumentParser
import FirnEngine
import FirnFormats
import FirnPlatform
package import FirnTools
import FirnValues

extension ServeCommand {
    /// The interval in nanoseconds at which signals are checked.
    private static let lookNanoseconds: UInt64 = 100_000_000
    /// The descriptors reserved for databases, logs and temporary files.
    private static let otherFileCount = 256

    /// Runs the current process as `firn serve`, and exits.
    ///
    /// - Parameter words: The command line, without the name of the program.
    package static func run(_ words: [String], in environment: CommandEnvironment) -> Never {
        do { try StandardStream.openMissing() } catch {
            ProcessExit.exit(ExitStatus.inputOutput.rawValue)
        }
        try? Signals.install()
        let command: ServeCommand
        do { command = try parse(words) } catch {
            guard exitCode(for: error) != .success else {
                try? environment.print(fullMessage(for: error) + "\n")
                ProcessExit.exit(0)
            }
            let message = UsageMessage(message(for: error), words: words)
            environment.report(message.diagnostic(of: "serve"), .human)
            ProcessExit.exit(ExitStatus.usage.rawValue)
        }
        do throws(CommandFailure) {
            try command.serve(environment)
            ProcessExit.exit(0)
        } catch {
            guard case .diagnostic(let diagnostic) = error else { ProcessExit.exit(1) }
            environment.report(diagnostic, .human)
            ProcessExit.exit(diagnostic.status.rawValue)
        }
    }

    /// Serves until a signal arrives, or until the server has been idle long enough.
    private func serve(_ environment: CommandEnvironment) throws(CommandFailure) {
        var options = try options(environment)
        let fileCount = OpenFileLimit.raise(
            to: options.connectionCountMaximum + ServeCommand.otherFileCount)
        // A connection beyond the limit gets an answer; without a descriptor it would only wait.
        options.connectionCountMaximum = max(
            1, min(options.connectionCountMaximum, fileCount - ServeCommand.otherFileCount))
        let server = try Server(options, environment)
        try environment.print((server.url ?? options.address.shown) + "\n")
        if !options.isQuiet {
            let count = options.files.count
            environment.report(
                "serving \(count == 1 ? "1 file" : "\(count) files"), "
                    + (options.isWritable ? "with --write" : "read only") + "; Ctrl-C ends\n")
        }
        while environment.pendingSignal() == nil {
            if let idle = options.idleExitNanoseconds, server.isIdle(nanoseconds: idle) { break }
            environment.services.clock.sleep(nanoseconds: ServeCommand.lookNanoseconds)
        }
        server.end()
    }
}

extension ServeOptions.Address {
    /// The address for people.
    fileprivate var shown: String {
        switch self {
        case .port(let host, let port): "http://\(host):\(port)/"
        case .socket(let path, _): SafeText.escaping(path)
        case .inherited: "the socket of systemd"
        }
    }
}
