import FirnFormats
import FirnPlatform
import FirnValues

/// A command that is a separate program, because it needs a library that firn does not link.
enum CompanionProgram: String, CaseIterable {
    /// Needs libpq.
    case sync
    /// Needs an HTTP server.
    case serve

    private var name: String { "firn-\(rawValue)" }

    /// The summary in the short help.
    var summary: String {
        switch self {
        case .sync: "replicate a subset of a PostgreSQL database (\(name))"
        case .serve: "answer HTTP requests, with live streams (\(name))"
        }
    }

    /// The command that builds the program.
    private var build: String {
        let build = "swift build -c release --product \(name)"
        return self == .sync ? "apt install libpq-dev && \(build)" : build
    }

    /// Runs the program in place of this one.
    ///
    /// - Throws: the error that it is not installed.
    func run(_ words: [String]) throws(CommandFailure) -> Never {
        // The program beside this one has the same version.
        let beside = ProgramReplacement.ownFolder.map { [$0 + "/" + name] } ?? []
        ProgramReplacement.run(beside + [name], words)
        var diagnostic = Diagnostic(
            .fileMissing, "firn \(rawValue) needs the program \(name), which is not installed")
        diagnostic.remedy = "build it beside firn: \(build)"
        throw .diagnostic(diagnostic)
    }
}
