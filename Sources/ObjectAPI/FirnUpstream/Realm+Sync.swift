public import Firn
import FirnQuery
import FirnReplication
import FirnValues

extension Realm.Configuration {
    /// The server with which the file is replicated, or `nil` if the file is not replicated.
    ///
    /// Configurations of one file must have the same address and options.
    public var syncConfiguration: SyncConfiguration? {
        get { (upstream as? SyncProvider)?.configuration }
        set { upstream = newValue.map(SyncProvider.init) }
    }
}

extension Realm {
    /// The replication of the file, or `nil` if its configuration has no
    /// ``Realm/Configuration/syncConfiguration``.
    public var syncSession: SyncSession? { upstreamSession as? SyncSession }
}

extension SyncConfiguration {
    /// Creates what the server needs for the classes of a realm: the schema `firn`, a table for
    /// each class, and the triggers that record changes.
    ///
    /// Rows that exist stay. Properties that the tables lack become new columns. The user of the
    /// address needs the right to create a schema. `firn sync init` does the same.
    ///
    /// Classes that cannot be replicated, such as those without a primary key, get no table.
    ///
    /// - Parameters:
    ///   - realm: The realm with the classes.
    ///   - conflicts: The changes that prevail, by the names of classes. Classes without an entry
    ///     keep the rule that the server has, which is ``ConflictResolution/lastWriter`` at first.
    ///   - counters: The names of integer properties whose changes are added up, by the names of
    ///     classes. Two files that increment a counter by 1 while they are offline then increment
    ///     it by 2; an assignment counts as the difference to the value before.
    /// - Throws: ``Realm/Error`` with `upstreamRefused`, or with `schemaMismatch` for a name that
    ///   does not exist. The server is then unchanged.
    public func prepareServer(
        for realm: Realm, conflicts: [String: ConflictResolution] = [:],
        counters: [String: Set<String>] = [:]
    ) throws {
        var rules = TextMap(conflicts.mapValues { ConflictRules($0.mode) })
        for (name, properties) in counters {
            rules[name, default: ConflictRules()].counters = TextSet(properties)
        }
        do throws(UpstreamError) {
            try Upstream.prepareServer(for: realm.database, at: address, rules: rules)
        } catch {
            throw Realm.Error(error, realm.configuration)
        }
    }
}

/// Connects the configuration of a realm with the replication.
struct SyncProvider: UpstreamProvider, CustomStringConvertible {
    let configuration: SyncConfiguration

    func begin(
        _ database: Database, _ configuration: Realm.Configuration
    ) -> any UpstreamSession {
        let session = SyncSession(database, configuration, self.configuration)
        session.start()
        return session
    }

    func subscribe(_ realm: Realm) throws {
        guard let subscriptions = configuration.initialSubscriptions else { return }
        let set = realm.subscriptions
        guard configuration.rerunOnOpen || !set.wasEverChanged else { return }
        set.update { subscriptions(set) }
        if let error = set.updateError { throw error }
    }

    func isEqual(to other: any UpstreamProvider) -> Bool {
        guard let other = (other as? SyncProvider)?.configuration else { return false }
        return other.address == configuration.address
            && other.rerunOnOpen == configuration.rerunOnOpen
            && other.clientResetMode.name == configuration.clientResetMode.name
            && (other.initialSubscriptions == nil) == (configuration.initialSubscriptions == nil)
    }

    /// The address, which contains no password.
    var description: String { configuration.address }
}

extension Realm.Error {
    /// Creates an error from an error of the replication.
    init(_ error: UpstreamError, _ configuration: Realm.Configuration) {
        if let stored = error.storeError {
            self.init(stored)
            return
        }
        let message = [error.detail, error.remedy].compactMap(\.self).joined(separator: "; ")
        self.init(Code(error.code), fileURL: configuration.fileURL, message)
    }
}

extension Realm.Error.Code {
    init(_ code: UpstreamError.Code) {
        self =
            switch code {
            case .notPushable: .subscriptionFailed
            case .schema, .unsupported: .schemaMismatch
            case .resetNeeded: .clientResetRequired
            case .fenced: .multipleSyncAgents
            case .address: .invalidInput
            case .unreachable, .authentication, .notPrepared, .permission, .server:
                .upstreamRefused
            case .state, .stopped, .conflict, .store: .fail
            }
    }
}
