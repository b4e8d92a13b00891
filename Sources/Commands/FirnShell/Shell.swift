package import FirnFormats
import FirnPlatform
package import FirnTools
import FirnValues

/// The interactive shell of `firn`.
package enum Shell {
    /// Runs a shell until the user quits or the statements end.
    ///
    /// - Throws: the first error of statements from a file or pipe, and
    ///   ``CommandFailure/ended(status:)`` with the status of `.quit`.
    package static func run(
        _ invocation: ShellInvocation, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> ExitStatus {
        let reference = SessionReference()
        let completer = Completer { reference.completionScope }
        let typed = TerminalLines.make(
            environment, keepsHistory: !invocation.isSafe, runsEditor: !invocation.isSafe,
            completions: { before, line, cursor in
                completer.completion(before: before, line: line, cursor: cursor)
            }, help: { reference.help($0) })
        if let typed { return try run(invocation, typed, environment, reference) }
        let lines = StreamLines(
            environment.input, notices: NotificationQueue(clock: environment.services.clock),
            pendingSignal: environment.pendingSignal)
        return try run(invocation, lines, environment, reference)
    }

    /// Runs a shell on any line input.
    static func run(
        _ invocation: ShellInvocation, _ lines: any LineInput, _ environment: CommandEnvironment,
        _ reference: SessionReference = SessionReference()
    ) throws(CommandFailure) -> ExitStatus {
        // A file that is not a database is read into a database in memory.
        var environment = try environment.withMemory()
        environment.alwaysEscapes = invocation.isSafe
        let session = Session(invocation, environment, lines)
        reference.session = session
        let status: Int32
        defer { lines.history?.truncate() }
        do throws(CommandFailure) {
            if let file = invocation.file { try session.open(file) }
            status = try talk(session, lines)
            try session.endOutput()
        } catch {
            session.closeAfterFailure()
            throw error
        }
        try session.close()
        guard status != 0 else { return .ok }
        throw .ended(status: status)
    }

    private static func talk(
        _ session: Session, _ lines: any LineInput
    ) throws(CommandFailure) -> Int32 {
        guard let script = lines as? StreamLines else {
            session.greet()
            return try REPLLoop(session, lines).run()
        }
        let status = try Script(session, script).run() ?? 0
        if session.transaction != nil { throw session.unfinishedTransaction(script.name) }
        if let database = session.database, database.hasUnsavedChanges {
            session.report(
                "changes to \(SafeText.escaping(database.path)) were only in memory; "
                    + "keep them with .save FILE.firn")
        }
        return status
    }
}
