import FirnFormats
import FirnPlatform
import FirnTools
import FirnValues

/// `.shell` and `.cd`.
extension Session {
    func system(
        _ name: DotCommandName, _ arguments: DotArguments
    ) throws(CommandFailure) {
        try checkSafe(name == .cd ? "another working directory" : "shell commands")
        guard arguments.count > 0 else { throw arguments.wrong() }
        if name == .cd {
            let folder = arguments.count == 1 ? arguments.words.words[0] : arguments.text
            do { try WorkingFolder.change(to: folder) } catch {
                throw .diagnostic(Diagnostic(error, "cannot change to \(folder)"))
            }
        } else {
            try runCommand(arguments.text)
        }
    }

    private func runCommand(_ command: String) throws(CommandFailure) {
        let status: Int32
        do { status = try ShellCommand.runHere(command) } catch {
            throw .diagnostic(Diagnostic(error, "cannot start the command"))
        }
        // A terminal signal was intended for the command.
        if isInteractive { environment.forgetSignal() }
        guard status != 0 else { return }
        throw .diagnostic(Diagnostic(.outputFailed, "the command exited with status \(status)"))
    }
}
