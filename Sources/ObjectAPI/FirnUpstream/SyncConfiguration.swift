public import Firn
import FirnReplication
import FirnValues

/// The PostgreSQL server with which a file is replicated, and the options of the replication.
///
///     var configuration = Realm.Configuration(fileURL: file, objectTypes: [Task.self])
///     configuration.syncConfiguration = SyncConfiguration(
///         address: "postgresql://anna@db.example.org/tasks?sslmode=verify-full",
///         initialSubscriptions: { subscriptions in
///             subscriptions.append(QuerySubscription<Task> { $0.owner == "anna" })
///         })
///     let realm = try Realm(configuration: configuration)
///
/// The server is the authority. The file holds the objects that its subscriptions select. All reads
/// and writes are local, and go on while the server cannot be reached; a thread of its own sends
/// and takes the changes. The server needs its tables first; see ``prepareServer(for:)``.
public struct SyncConfiguration: Sendable {
    /// The address of the server, as a URL or as the keywords of libpq.
    ///
    /// It must not contain a password, because it is stored in the file. Passwords come from
    /// `~/.pgpass`, from a service file, or from the environment.
    public var address: String
    /// The action to take when the server has lost or forgotten what the file knows.
    public var clientResetMode: ClientResetMode
    /// A closure that edits the subscriptions when the file is opened.
    ///
    /// It runs if the file never had a subscription, in the first realm that is opened.
    public var initialSubscriptions: (@Sendable (SyncSubscriptionSet) -> Void)?
    /// Whether ``initialSubscriptions`` runs each time the file is opened.
    ///
    /// That is for queries of a moving range, such as the last seven days.
    public var rerunOnOpen: Bool
    /// Whether, when the file is attached, its objects prevail over the objects of the server.
    ///
    /// By default, the server's prevail, and ``refusalHandler`` receives those that differ.
    public var prefersFile: Bool
    /// A closure that receives errors, on the thread of the replication.
    ///
    /// An unreachable server is none: it is tried again.
    public var errorHandler: (@Sendable (Realm.Error, SyncSession) -> Void)?
    /// A closure that receives the transactions that the server refused, on the thread of the
    /// replication.
    ///
    /// Their changes are undone in the file. It also receives the objects that the file had before it
    /// was attached, and that the server refused or has in another state, and those that another file
    /// has created under the same key. Their values stay in the file: `firn sync rejected` shows them.
    public var refusalHandler: (@Sendable (RefusedWrite) -> Void)?

    /// Creates a configuration.
    ///
    /// Each parameter sets the property of the same name.
    public init(
        address: String, clientResetMode: ClientResetMode = .recoverUnsyncedChanges(),
        initialSubscriptions: (@Sendable (SyncSubscriptionSet) -> Void)? = nil,
        rerunOnOpen: Bool = false, prefersFile: Bool = false,
        errorHandler: (@Sendable (Realm.Error, SyncSession) -> Void)? = nil,
        refusalHandler: (@Sendable (RefusedWrite) -> Void)? = nil
    ) {
        self.address = address
        self.clientResetMode = clientResetMode
        self.initialSubscriptions = initialSubscriptions
        self.rerunOnOpen = rerunOnOpen
        self.prefersFile = prefersFile
        self.errorHandler = errorHandler
        self.refusalHandler = refusalHandler
    }
}

/// The change that prevails if two files change the same property of an object.
public enum ConflictResolution: Sendable, Hashable, CaseIterable {
    /// The later change.
    ///
    /// Clocks that are more than a minute ahead of the server's count as one minute ahead.
    /// Collections and embedded objects are merged.
    case lastWriter
    /// The change that reached the server first.
    ///
    /// The transaction of the other one is refused as a whole, undone in its file, and passed to
    /// ``SyncConfiguration/refusalHandler``.
    case firstWriter
    /// The change that reached the server last; collections and embedded objects are merged.
    case arrival

    var mode: ConflictRules.Mode {
        switch self {
        case .lastWriter: .lastWriter
        case .firstWriter: .firstWriter
        case .arrival: .arrival
        }
    }
}

/// A transaction that the server refused, such as one that breaks a constraint.
public struct RefusedWrite: Sendable, Hashable {
    /// The changed objects, each as its class and key.
    public let objects: [String]
    /// The reason that the server gave.
    public let reason: String
    /// Whether the file keeps the objects as they are, because the server never had them.
    public let isKept: Bool
}

/// The action to take when the server has lost or forgotten what a file knows.
///
/// That is the case after a backup of the server was restored, and after a file was offline for
/// longer than the server keeps changes. The closures run on the thread of the replication. They
/// receive a frozen realm from before the reset and, afterwards, also a realm of that thread.
public enum ClientResetMode: Sendable {
    /// The replication stops with an error, until ``SyncSession/reset(_:)``.
    case manual
    /// The file takes the data of the server. Changes that were not sent are lost.
    case discardUnsyncedChanges(
        beforeReset: (@Sendable (_ before: Realm) -> Void)? = nil,
        afterReset: (@Sendable (_ before: Realm, _ after: Realm) -> Void)? = nil)
    /// The file takes the data of the server and keeps its changes that were not sent.
    ///
    /// If they cannot be recovered, the replication stops with an error.
    case recoverUnsyncedChanges(
        beforeReset: (@Sendable (_ before: Realm) -> Void)? = nil,
        afterReset: (@Sendable (_ before: Realm, _ after: Realm) -> Void)? = nil)
    /// The file keeps its changes that were not sent, or drops them if they cannot be recovered.
    case recoverOrDiscardUnsyncedChanges(
        beforeReset: (@Sendable (_ before: Realm) -> Void)? = nil,
        afterReset: (@Sendable (_ before: Realm, _ after: Realm) -> Void)? = nil)

    /// The resets to try, in order of preference.
    var attempts: [Upstream.ResetMode] {
        switch self {
        case .manual: []
        case .discardUnsyncedChanges: [.discard]
        case .recoverUnsyncedChanges: [.recover]
        case .recoverOrDiscardUnsyncedChanges: [.recover, .discard]
        }
    }

    typealias Before = @Sendable (Realm) -> Void
    typealias After = @Sendable (Realm, Realm) -> Void

    var callbacks: (before: Before?, after: After?) {
        switch self {
        case .manual: (nil, nil)
        case .discardUnsyncedChanges(let before, let after),
            .recoverUnsyncedChanges(let before, let after),
            .recoverOrDiscardUnsyncedChanges(let before, let after):
            (before, after)
        }
    }

    var name: String {
        switch self {
        case .manual: "manual"
        case .discardUnsyncedChanges: "discardUnsyncedChanges"
        case .recoverUnsyncedChanges: "recoverUnsyncedChanges"
        case .recoverOrDiscardUnsyncedChanges: "recoverOrDiscardUnsyncedChanges"
        }
    }
}
