import Firn

/// Follows the pages while requests of any thread, and other processes, change them.
actor Watcher {
    private var realm: Realm?
    private var token: NotificationToken?
    /// The sum of all visits, as it was last seen.
    private(set) var visitCount = 0
    private(set) var notificationCount = 0

    func start(_ configuration: Realm.Configuration) async throws {
        let realm = try await Realm(configuration: configuration, actor: self)
        self.realm = realm
        token = await realm.objects(Page.self).observe(on: self) { watcher, change in
            watcher.see(change)
        }
    }

    private func see(_ change: RealmCollectionChange<Results<Page>>) {
        switch change {
        case .initial(let pages), .update(let pages, _, _, _): visitCount = pages.sum(of: \.visits)
        case .error: visitCount = -1
        }
        notificationCount += 1
    }

    func stop() {
        token?.invalidate()
        token = nil
        realm = nil
    }
}
