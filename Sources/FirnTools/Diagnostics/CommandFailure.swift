package import FirnEngine
package import FirnPlatform
import FirnQuery
import FirnValues

/// Why a command ends before it is done.
package enum CommandFailure: Error {
    case diagnostic(Diagnostic)
    /// A signal asked for it: the process dies of the same signal once everything is cleaned up.
    case interrupted(signal: Int32)
    /// The command ends with this status, and nothing is left to be told.
    case ended(status: Int32)

    package init(_ error: StoreError) { self = .diagnostic(Diagnostic(error)) }

    package init(_ error: InputError) { self = .diagnostic(Diagnostic(error)) }

    /// The output could not be written.
    package init(writing name: String, _ error: PlatformError) {
        if error.code == .brokenPipe {
            // Whoever reads has enough: that is how pipes end, not an error to tell.
            self = .interrupted(signal: Signals.brokenPipe)
        } else if error.code == .notFound {
            self = .diagnostic(
                Diagnostic(.outputCannotCreate, "cannot write \(name): no such folder"))
        } else {
            self = .diagnostic(Diagnostic(error, "cannot write \(name)"))
        }
    }
}

extension CommandFailure {
    /// A database could not be made.
    ///
    /// - Parameter name: the file that is to be, as the user named it.
    init(creating name: String, _ error: StoreError) {
        switch error.code {
        case .exists: self.init(existing: name)
        case .missing where name.isEmpty:
            self = .diagnostic(.usage("the name of the database is empty"))
        // Nothing can be missing but the folder that it should stand in.
        case .missing:
            var diagnostic = Diagnostic(
                .outputCannotCreate, "cannot create \(SafeText.escaping(name)): no such folder")
            diagnostic.file = name
            self = .diagnostic(diagnostic)
        default: self.init(error)
        }
    }

    /// Refuses the name of a database that the files beside it could not have.
    static func checkName(_ name: String) throws(CommandFailure) {
        do { try Store.checkName(name) } catch {
            var diagnostic = Diagnostic(
                .outputCannotCreate, "cannot create \(SafeText.escaping(name)): \(error.detail)")
            diagnostic.file = name
            diagnostic.remedy = error.remedy
            throw .diagnostic(diagnostic)
        }
    }

    /// A database is to be made where something is already.
    init(existing name: String) {
        var diagnostic = Diagnostic(
            .fileExists, "cannot create \(SafeText.escaping(name)): it already exists")
        diagnostic.file = name
        diagnostic.remedy = "choose another name, or remove that file first"
        self = .diagnostic(diagnostic)
    }

    /// The same failure after a change that is on disk: the user must not take it for one of the change.
    ///
    /// - Parameter done: what was done, such as `committed version 3 of app.firn`.
    func after(_ done: String) -> CommandFailure {
        guard case .diagnostic(let cause) = self, cause.slug != .outputAfterCommit else {
            return self
        }
        var diagnostic = Diagnostic(.outputAfterCommit, "\(done), but \(cause.message)")
        diagnostic.file = cause.file
        diagnostic.details = cause.details
        diagnostic.remedy = "the change is in the database: do not repeat the command"
        return .diagnostic(diagnostic)
    }

    /// Whether it only says that whoever reads has enough.
    package var isBrokenPipe: Bool {
        guard case .interrupted(let signal) = self else { return false }
        return signal == Signals.brokenPipe
    }
}
