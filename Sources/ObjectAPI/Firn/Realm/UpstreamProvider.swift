package import FirnEngine
package import FirnQuery

/// The replication of files with a server, which another module provides.
///
/// This module knows only what opening, subscribing and waiting need, so that programs without
/// replication link none of it.
package protocol UpstreamProvider: Sendable {
    /// Starts the replication of a file that was just opened.
    ///
    /// The session runs until ``UpstreamSession/end()``, on a thread of its own.
    func begin(_ database: Database, _ configuration: Realm.Configuration) -> any UpstreamSession

    /// Adds the subscriptions that the configuration names; called by the first realm of an opened
    /// file.
    ///
    /// - Throws: ``Realm/Error`` if the subscriptions cannot be written.
    func subscribe(_ realm: Realm) throws

    /// Returns whether both replicate a file with the same server in the same way.
    func isEqual(to other: any UpstreamProvider) -> Bool
}

/// A file that is being replicated.
package protocol UpstreamSession: AnyObject, Sendable {
    /// Checks that the server can evaluate each subscription exactly.
    ///
    /// - Throws: ``Realm/Error`` with `subscriptionFailed` and the condition that it cannot.
    func check(_ subscriptions: SubscriptionList, in database: Database) throws(Realm.Error)

    /// Returns the progress of the objects of the subscriptions in a version.
    func progress(of snapshot: Snapshot) -> UpstreamProgress

    /// Waits for a cycle that starts after the call: it sends the changes of the file and fetches
    /// the objects of its subscriptions.
    ///
    /// - Parameter seconds: the time after which to give up; `nil` to wait as long as it takes.
    /// - Throws: ``Realm/Error`` with `timedOut`, or the error that ended the replication; and
    ///   `CancellationError`.
    func waitForCycle(seconds: Double?) async throws

    /// Ends the replication; a running cycle is abandoned.
    func end()
}

/// The progress of the objects of a set of subscriptions.
package enum UpstreamProgress: Sendable {
    case complete
    case pending
    /// The replication has stopped.
    case failed(Realm.Error)
}

extension Realm {
    /// Returns the realm of the current thread for a file; `nil` if this process does not have the
    /// file open.
    package init?(opened configuration: Configuration) throws {
        guard let file = try RealmFile.openFile(try configuration.path(), configuration)
        else { return nil }
        self.init(try file.instance(.ofCaller, for: configuration))
    }

    /// The database of the file.
    package var database: Database { instance.file.database }

    /// The replication of the file, if its configuration has any.
    package var upstreamSession: (any UpstreamSession)? { instance.file.upstream.session }
}
