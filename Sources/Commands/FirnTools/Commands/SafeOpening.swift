import FirnEngine
package import FirnFormats
import FirnPlatform
import FirnValues

/// The checks of `--safe` before a database is used.
package struct SafeOpening {
    private let path: String
    private let environment: CommandEnvironment

    package init(_ path: String, _ environment: CommandEnvironment) {
        self.path = path
        self.environment = environment
    }

    /// - Throws: `safe.refused` if the name is a symbolic link, `file.corrupt` if `firn check`
    ///   finds
    /// damage, and any error that prevents reading the file.
    package func check() throws(CommandFailure) {
        guard try !isLink() else {
            var diagnostic = Diagnostic(
                .safeRefused,
                "--safe does not follow symbolic links, and \(SafeText.escaping(path)) is one")
            diagnostic.file = path
            diagnostic.remedy = "name the file itself"
            throw .diagnostic(diagnostic)
        }
        let findings: [Finding]
        do {
            let store = try Store.open(path, readOnly: true, services: environment.services)
            var verifier = Verifier(
                store, isDeep: false, isStopped: environment.isInterrupted)
            findings = try verifier.run().findings
            try store.close()
        } catch {
            try environment.checkSignals()
            throw CommandFailure(error)
        }
        guard findings.isEmpty else { throw .diagnostic(Diagnostic(findings, in: path)) }
    }

    /// Returns whether a file of that name exists.
    func isThere() throws(CommandFailure) -> Bool {
        do {
            return try environment.services.files.status(of: path) != nil
        } catch {
            throw .diagnostic(Diagnostic(error, "cannot find \(SafeText.escaping(path))"))
        }
    }

    /// Returns whether the last component of the name is a symbolic link.
    private func isLink() throws(CommandFailure) -> Bool {
        let files = environment.services.files
        do {
            let folder = try files.resolvedPath(PathName.folder(of: path))
            let own = (folder == "/" ? "" : folder) + "/" + PathName.lastComponent(of: path)
            return try files.resolvedPath(path) != own
        } catch {
            // Opening the file reports that it does not exist.
            guard error.code != .notFound else { return false }
            throw .diagnostic(Diagnostic(error, "cannot find \(SafeText.escaping(path))"))
        }
    }
}
