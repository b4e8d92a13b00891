package import FirnEngine
import FirnValues

/// An error of replication: what failed, and what to do.
package struct UpstreamError: Error, Sendable {
    /// The conditions that callers distinguish.
    package enum Code: String, Hashable, Sendable {
        /// The server cannot be reached, or the connection was lost; trying again may help.
        case unreachable
        /// The server refused the user or the password.
        case authentication
        /// The connection string is invalid, or contains a password.
        case address
        /// The server lacks the tables of replication, or has tables of a newer version.
        case notPrepared
        /// The schema of the file and the schema of the server are incompatible.
        case schema
        /// The server denied an operation.
        case permission
        /// A value or a type that the server cannot store.
        case unsupported
        /// A condition that the server cannot evaluate exactly.
        case notPushable
        /// The server is not the one that the file knew, or has forgotten too much.
        case resetNeeded
        /// Two copies of the file replicate at the same time.
        case fenced
        /// The file is not attached to a server, or is already attached.
        case state
        /// Another error that the server reported.
        case server
        /// A change that came after another, in a class whose first writer wins.
        case conflict
        /// The caller cancelled the operation.
        case stopped
        /// The file could not be read or written.
        case store
    }

    package let code: Code
    package let detail: String
    package var remedy: String?
    /// The SQLSTATE of an error that the server reported.
    package var state: String?
    /// The error of the file, with the code `store`.
    package var storeError: StoreError?

    package init(_ code: Code, _ detail: String, remedy: String? = nil, state: String? = nil) {
        self.code = code
        self.detail = detail
        self.remedy = remedy
        self.state = state
    }

    package init(_ error: StoreError) {
        self.init(.store, error.detail, remedy: error.remedy)
        storeError = error
    }

    /// Whether the same operation may succeed later without any change.
    package var isTransient: Bool {
        switch code {
        case .unreachable: true
        case .server:
            ["40001", "40P01", "55P03", "53300", "57014"].contains(state ?? "")
        // Another program writes to the file for a long time.
        case .store: storeError?.code == .lockHeld
        default: false
        }
    }

    /// Whether the server refuses to write some data, so that writing it would fail again.
    ///
    /// Constraints have states of their class 23, but a trigger can raise any state, and an index has
    /// limits of its own. All states are refusals but those of the connection, of the state of a
    /// transaction, of missing tables and rights, and of the server itself.
    package var isRefusal: Bool {
        if code == .unsupported || code == .conflict { return true }
        guard let state, code == .server || code == .permission else { return false }
        // A policy of the rows has the state of a missing right.
        return state == "42501"
            || !UpstreamError.otherClasses.contains { state.hasPrefix($0) }
    }

    /// The classes of SQLSTATEs that say nothing about the data.
    private static let otherClasses = [
        "08", "25", "26", "28", "2D", "34", "3B", "3D", "3F", "40", "42", "53", "55", "57", "58",
        "F0",
        "XX",
    ]
}

extension UpstreamError {
    /// The error of a file that was copied and that replicates twice under the same identity.
    static let copied = UpstreamError(
        .fenced, "another copy of this file replicates under the same identity",
        remedy: "give this copy its own: firn sync reset FILE")

    /// The error of tables that were changed since the file found its columns.
    static let columnsChanged = UpstreamError(
        .server, "the columns of the server have changed", state: "40001")

    /// Runs steps on the file, and converts their error.
    static func converting<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws(UpstreamError) -> Result {
        do { return try body() } catch { throw UpstreamError(error) }
    }

    /// Runs one step on the file, and converts its error.
    @discardableResult
    static func converting<Result>(
        _ result: @autoclosure () throws(StoreError) -> Result
    ) throws(UpstreamError) -> Result {
        do { return try result() } catch { throw UpstreamError(error) }
    }
}
