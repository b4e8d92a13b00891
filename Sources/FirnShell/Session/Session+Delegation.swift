import FirnTools
import FirnValues

/// Doing what a command of `firn` does, in its words.
extension Session {
    /// Carries out a command line; its report is a result.
    ///
    /// - Parameter words: without the database.
    func perform(_ command: String, _ words: [String]) throws(CommandFailure) {
        let database = try openDatabase()
        let status = try show { destination throws(CommandFailure) -> ExitStatus in
            try FirnCommand.perform(
                [command, database.location] + words, in: destination.environment)
        }
        // A negative answer such as that of check is an answer; a script is to stop at it all the
        // same.
        if let status, status != .ok, !isInteractive { throw .ended(status: status.rawValue) }
    }

    /// The words that choose the format of a report, as the user has set it.
    var reportFormat: [String] {
        ["-f", isForPeople ? "text" : "json"]
    }

    /// The words that name the version that statements see.
    var versionWords: [String] { frozen.map { ["--at", $0.name] } ?? [] }
}
