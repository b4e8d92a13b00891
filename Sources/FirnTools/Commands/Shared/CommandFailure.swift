package import FirnEngine
package import FirnPlatform
import FirnQuery

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
    /// Whether it only says that whoever reads has enough.
    package var isBrokenPipe: Bool {
        guard case .interrupted(let signal) = self else { return false }
        return signal == Signals.brokenPipe
    }
}
