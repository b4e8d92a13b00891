import FirnPlatform
import FirnQuery

/// The replication of an open file.
final class FileUpstream: Sendable {
    private let state = Guarded(State())

    private struct State {
        var session: (any UpstreamSession)?
        var provider: (any UpstreamProvider)?
    }

    /// The session; `nil` without an upstream.
    var session: (any UpstreamSession)? { state.withLock { $0.session } }

    func begin(_ database: Database, _ configuration: Realm.Configuration) {
        guard let provider = configuration.upstream else { return }
        let session = provider.begin(database, configuration)
        state.withLock {
            $0.session = session
            $0.provider = provider
        }
    }

    /// Adds the subscriptions that the configuration names, when the first realm of the file is
    /// opened.
    ///
    /// If that fails, the next realm tries again.
    func subscribeOnce(_ realm: Realm) throws {
        let provider = state.withLock { state in
            defer { state.provider = nil }
            return state.provider
        }
        guard let provider else { return }
        do { try provider.subscribe(realm) } catch {
            state.withLock { $0.provider = provider }
            throw error
        }
    }

    func end() { session?.end() }
}
