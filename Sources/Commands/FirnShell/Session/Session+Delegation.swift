import FirnFormats
import FirnTools
import FirnValues

/// Running commands of `firn` with their arguments.
extension Session {
    /// Runs a command line; its report is a result.
    ///
    /// - Parameter words: the arguments, without the database.
    func perform(_ command: String, _ words: [String]) throws(CommandFailure) {
        let database = try openDatabase()
        let status = try show { destination throws(CommandFailure) -> ExitStatus in
            try FirnCommand.perform(
                [command, database.location] + words, in: destination.environment)
        }
        // A negative result, such as that of check, is a result, but it stops a script.
        if let status, status != .ok, !isInteractive { throw .ended(status: status.rawValue) }
    }

    /// The arguments for the format of a report, according to the settings.
    var reportFormat: [String] {
        ["-f", isForPeople ? "text" : "json"]
    }

    /// The arguments for the version that statements read.
    var versionWords: [String] { frozen.map { ["--at", $0.name] } ?? [] }
}
