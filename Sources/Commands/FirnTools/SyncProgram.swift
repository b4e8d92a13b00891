import FirnPlatform

/// `firn sync`: a program of its own, because only replication needs the library of PostgreSQL.
enum SyncProgram {
    private static let name = "firn-sync"

    /// The summary in the short help.
    static let summary = "replicate a subset of a PostgreSQL database (firn-sync)"

    /// Runs the program in the place of this one.
    ///
    /// - Throws: the error that it is not installed.
    static func run(_ words: [String]) throws(CommandFailure) -> Never {
        // The program beside this one has the same version.
        let beside = ProgramReplacement.ownFolder.map { [$0 + "/" + name] } ?? []
        ProgramReplacement.run(beside + [name], words)
        var diagnostic = Diagnostic(
            .fileMissing, "firn sync needs the program \(name), which is not installed")
        diagnostic.remedy =
            "build it beside firn: apt install libpq-dev && swift build -c release --product \(name)"
        throw .diagnostic(diagnostic)
    }
}
