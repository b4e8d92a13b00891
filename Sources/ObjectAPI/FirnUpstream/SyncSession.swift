public import Firn
package import FirnEngine
import FirnPlatform
package import FirnQuery
import FirnReplication
import FirnValues

/// The replication of an open file.
///
///     try await realm.syncSession?.wait(for: .upload)
///
/// A session runs on a thread of its own as long as a realm of the file is in use. See
/// ``Firn/Realm/syncSession``.
public final class SyncSession: Sendable {
    let database: Database
    let configuration: Realm.Configuration
    let options: SyncConfiguration
    let shared = Guarded(SessionState())

    init(
        _ database: Database, _ configuration: Realm.Configuration, _ options: SyncConfiguration
    ) {
        self.database = database
        self.configuration = configuration
        self.options = options
    }

    /// Whether a session replicates.
    public enum State: Sendable {
        /// Changes are exchanged as soon as the server can be reached.
        case active
        /// The session is suspended, or an error stopped it.
        case inactive
        /// The file was closed.
        case invalid
    }

    /// The state of the connection to the server.
    public enum ConnectionState: Sendable {
        /// There is no connection.
        case disconnected
        /// The first cycle of a connection is running.
        case connecting
        /// The last cycle succeeded.
        case connected
    }

    /// A direction of changes.
    public enum ProgressDirection: Sendable {
        /// From the file to the server.
        case upload
        /// From the server to the file.
        case download
    }

    /// Whether the session replicates.
    public var state: State {
        shared.withLock { state in
            state.hasEnded
                ? .invalid : state.isSuspended || state.failure != nil ? .inactive : .active
        }
    }

    /// The state of the connection to the server.
    public var connectionState: ConnectionState { shared.withLock { $0.connection } }

    /// The error that stopped the replication, or `nil`.
    ///
    /// The session tries again after 30 seconds, and when ``resume()`` is called.
    public var error: Realm.Error? { shared.withLock { $0.failure } }

    /// Stops exchanging changes until ``resume()``; a running cycle is completed.
    public func suspend() { shared.withLock { $0.isSuspended = true } }

    /// Resumes exchanging changes at once, even after an error.
    public func resume() {
        shared.withLock { state in
            state.isSuspended = false
            state.wanted += 1
        }
    }

    /// Waits until the changes that exist now have been exchanged.
    ///
    /// - Parameters:
    ///   - direction: The direction of the changes. A cycle exchanges them in both directions, so
    ///     that either wait ends after the next complete cycle.
    ///   - timeout: The time in seconds after which to give up, or `nil` to wait as long as it
    ///     takes.
    /// - Throws: ``Realm/Error`` with `timedOut`, or the error that stopped the replication; and
    ///   `CancellationError`.
    public func wait(for direction: ProgressDirection, timeout: Double? = nil) async throws {
        try await waitForCycle(seconds: timeout)
    }

    /// Starts again after the server has lost or forgotten what the file knows.
    ///
    /// This is for sessions with ``ClientResetMode/manual``, whose ``error`` is
    /// `clientResetRequired`.
    ///
    /// - Parameter mode: What becomes of changes that were not sent.
    public func reset(_ mode: ClientResetMode) {
        shared.withLock { state in
            state.resets = mode.attempts
            state.wanted += 1
        }
    }
}

/// The state of a session, shared with its thread.
struct SessionState {
    var isSuspended = false
    var hasEnded = false
    var connection = SyncSession.ConnectionState.disconnected
    /// The error that stopped the replication.
    var failure: Realm.Error?
    /// The resets that the program requested, in order of preference.
    var resets: [Upstream.ResetMode] = []
    /// The number of requested cycles; a cycle that starts now serves all of them.
    var wanted: UInt64 = 0
    /// The number of the request that the running cycle serves.
    var begun: UInt64 = 0
    /// The number of the last request that has been served.
    var done: UInt64 = 0
    var waiters: [Waiter] = []
    var lastWaiter: UInt64 = 0

    /// A task that waits for a cycle.
    struct Waiter {
        let id: UInt64
        let ticket: UInt64
        let continuation: CheckedContinuation<Void, any Error>
    }

    /// Removes and returns the waiters that satisfy a condition.
    mutating func removeWaiters(where isSelected: (Waiter) -> Bool) -> [Waiter] {
        let selected = waiters.filter(isSelected)
        waiters.removeAll(where: isSelected)
        return selected
    }
}

extension SyncSession: UpstreamSession {
    package func check(
        _ subscriptions: SubscriptionList, in database: Database
    ) throws(Realm.Error) {
        do throws(UpstreamError) {
            let upstream = Upstream(database)
            for record in subscriptions.records { _ = try upstream.subscription(record.query) }
        } catch {
            throw Realm.Error(error, configuration)
        }
    }

    package func progress(of snapshot: Snapshot) -> UpstreamProgress {
        do throws(UpstreamError) {
            if try Upstream.isComplete(snapshot) { return .complete }
        } catch {
            return .failed(Realm.Error(error, configuration))
        }
        return error.map { .failed($0) } ?? .pending
    }

    package func end() {
        let waiters = shared.withLock { state in
            state.hasEnded = true
            return state.removeWaiters { _ in true }
        }
        let error = Realm.Error(.fail, fileURL: configuration.fileURL, "the file was closed")
        for waiter in waiters { waiter.continuation.resume(throwing: error) }
    }
}
