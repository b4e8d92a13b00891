package import FirnEngine
package import FirnPlatform
package import FirnQuery
package import FirnText
import FirnValues

/// The reason why a command ended early.
package enum CommandFailure: Error {
    case diagnostic(Diagnostic)
    /// A signal: the process cleans up and dies of the same signal.
    case interrupted(signal: Int32)
    /// The command ends with this status; the error was already reported.
    case ended(status: Int32)

    package init(_ error: StoreError) { self = .diagnostic(Diagnostic(error)) }

    package init(_ error: InputError) { self = .diagnostic(Diagnostic(error)) }

    /// A query failed.
    ///
    /// - Parameters:
    ///   - text: the whole text that the ranges of the error refer to.
    ///   - file: the database.
    package init(_ error: QueryFailure, text: String, file: String?) {
        switch error {
        case .query(let error):
            self = .diagnostic(Diagnostic(error, text: text, file: file))
        case .store(let error): self.init(error)
        }
    }

    /// The output could not be written.
    package init(writing name: String, _ error: PlatformError) {
        if error.code == .brokenPipe {
            // A closed pipe is the normal end of a pipeline, not an error to report.
            self = .interrupted(signal: Signals.brokenPipe)
        } else if error.code == .interrupted, let signal = Signals.pending {
            self = .interrupted(signal: signal)
        } else if error.code == .notFound {
            self = .diagnostic(
                Diagnostic(.outputCannotCreate, "cannot write \(name): no such folder"))
        } else {
            self = .diagnostic(Diagnostic(error, "cannot write \(name)"))
        }
    }
}

extension CommandFailure {
    /// Whether the opened file is not a database.
    package var isNotADatabase: Bool { slug == .fileNotADatabase }

    /// Whether a file does not exist.
    package var isMissingFile: Bool { slug == .fileMissing }

    private var slug: Slug? {
        if case .diagnostic(let diagnostic) = self { diagnostic.slug } else { nil }
    }

    /// Returns a result of the store, whose errors become failures of the command.
    @discardableResult
    package static func converting<Result>(
        _ result: @autoclosure () throws(StoreError) -> Result
    ) throws(CommandFailure) -> Result {
        do { return try result() } catch { throw CommandFailure(error) }
    }

    /// Runs several operations of the store, whose errors become failures of the command.
    @discardableResult
    package static func converting<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws(CommandFailure) -> Result {
        do { return try body() } catch { throw CommandFailure(error) }
    }

    /// Runs an operation of an input, whose error becomes a failure of the command.
    package static func reading<Result>(
        _ body: () throws(InputError) -> Result
    ) throws(CommandFailure) -> Result {
        do { return try body() } catch { throw CommandFailure(error) }
    }

    /// A database could not be created.
    ///
    /// - Parameter name: the file to create, as the user named it.
    package init(creating name: String, _ error: StoreError) {
        switch error.code {
        case .exists: self.init(existing: name)
        case .missing where name.isEmpty:
            self = .diagnostic(.usage("the name of the database is empty"))
        // The only thing that can be missing is the folder of the database.
        case .missing:
            var diagnostic = Diagnostic(
                .outputCannotCreate, "cannot create \(SafeText.escaping(name)): no such folder")
            diagnostic.file = name
            self = .diagnostic(diagnostic)
        default: self.init(error)
        }
    }

    /// Rejects a database name that is too long for the names of the files beside it.
    package static func checkName(_ name: String) throws(CommandFailure) {
        guard name != "-" else {
            throw .diagnostic(
                .usage(
                    "a database cannot be written to standard output",
                    remedy: "name its file; ./- is a file called -"))
        }
        do { try Store.checkName(name) } catch {
            var diagnostic = Diagnostic(
                .outputCannotCreate, "cannot create \(SafeText.escaping(name)): \(error.detail)")
            diagnostic.file = name
            diagnostic.remedy = error.remedy
            throw .diagnostic(diagnostic)
        }
    }

    /// The database to create already exists.
    package init(existing name: String) {
        var diagnostic = Diagnostic(
            .fileExists, "cannot create \(SafeText.escaping(name)): it already exists")
        diagnostic.file = name
        diagnostic.remedy = "choose another name, or remove that file first"
        self = .diagnostic(diagnostic)
    }

    /// Returns the same failure after a durable change, so that the user does not mistake it for a
    /// failure of the change.
    ///
    /// - Parameter done: the completed change, such as `committed version 3 of app.firn`.
    package func after(_ done: String) -> CommandFailure {
        guard case .diagnostic(let cause) = self, cause.slug != .outputAfterCommit else {
            return self
        }
        // A file that was overwritten may have lost the change: nothing says that it is in there.
        if cause.slug == .fileCorrupt || cause.slug == .fileLogMissing {
            var diagnostic = cause
            diagnostic.details.append("before that, this command \(done)")
            return .diagnostic(diagnostic)
        }
        var diagnostic = Diagnostic(.outputAfterCommit, "\(done), but \(cause.message)")
        diagnostic.file = cause.file
        diagnostic.details = cause.details
        diagnostic.remedy = "the change is in the database: do not repeat the command"
        return .diagnostic(diagnostic)
    }

    /// Whether the failure is only a closed pipe.
    package var isBrokenPipe: Bool {
        guard case .interrupted(let signal) = self else { return false }
        return signal == Signals.brokenPipe
    }
}
