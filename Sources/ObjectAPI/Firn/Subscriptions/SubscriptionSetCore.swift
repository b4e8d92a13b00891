import FirnEngine
import FirnQuery
import FirnValues

/// The state of a ``SyncSubscriptionSet`` as it was read, or as its last update left it.
final class SubscriptionSetCore {
    let instance: RealmInstance
    private var stored = StoredSubscriptions()
    /// The error that prevented reading the set or writing its last update.
    private(set) var failure: Realm.Error?

    init(_ instance: RealmInstance) {
        self.instance = instance
        do {
            let snapshot =
                instance.isFrozen
                ? instance.snapshot : try instance.file.database.snapshot()
            stored = try StoredSubscriptions(snapshot.snapshot, path: instance.file.path)
        } catch {
            failure = Realm.Error(error)
        }
    }

    /// The subscriptions, including the edits of a running update.
    var list: SubscriptionList {
        instance.checkConfinement()
        return instance.subscriptionUpdate?.list ?? stored.list
    }

    /// Whether the set has a version, which its first update gives it.
    var wasEverChanged: Bool { stored.version != 0 }

    var state: SyncSubscriptionState {
        instance.checkConfinement()
        if instance.subscriptionUpdate != nil { return .pending }
        if let failure { return .error(failure) }
        do {
            let newest = try instance.file.database.snapshot().snapshot
            let version = try StoredSubscriptions.version(newest, instance.file.path)
            guard version == stored.version else { return .superseded }
            switch instance.file.upstream.session?.progress(of: newest) {
            case nil, .complete?: return .complete
            case .pending?: return .pending
            case .failed(let error)?: return .error(error)
            }
        } catch {
            return .error(Realm.Error(error))
        }
    }

    func edit(_ edit: SubscriptionEdit) {
        instance.checkConfinement()
        guard let update = instance.subscriptionUpdate else {
            misuse("subscriptions are only changed in the block of subscriptions.update { }")
        }
        update.apply(edit)
    }

    /// Stores the result of an update.
    func finish(_ result: Result<StoredSubscriptions, Realm.Error>) -> Realm.Error? {
        switch result {
        case .success(let new):
            stored = new
            failure = nil
        case .failure(let error): failure = error
        }
        return failure
    }
}
