import Firn
import FirnPlatform
import Foundation

/// The notifications of a block of `observe`, in order.
final class Told: Sendable {
    private let lines = Guarded<[String]>([])

    /// The notifications since the last access.
    var news: [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    func add<Collection: Swift.Collection>(_ change: RealmCollectionChange<Collection>) {
        add(change.line)
    }
}

extension RealmCollectionChange where CollectionType: Collection {
    /// A line such as `initial 3` or `-[0] +[] ~[1, 2]`.
    var line: String {
        switch self {
        case .initial(let collection): "initial \(collection.count)"
        case .update(_, let deletions, let insertions, let modifications):
            "-\(deletions) +\(insertions) ~\(modifications)"
        case .error(let error): "error \(error)"
        }
    }
}

extension RealmMapChange {
    var line: String {
        switch self {
        case .initial(let map): "initial \(map.count)"
        case .update(_, let deletions, let insertions, let modifications):
            "-\(deletions) +\(insertions) ~\(modifications)"
        case .error(let error): "error \(error)"
        }
    }
}

extension SectionedResultsChange {
    var line: String {
        func text(_ paths: [IndexPath]) -> String {
            paths.map { "\($0[0]).\($0[1])" }.joined(separator: " ")
        }
        switch self {
        case .initial: return "initial"
        case .update(
            _, let deletions, let insertions, let modifications, let inserted, let deleted):
            return "-[\(text(deletions))] +[\(text(insertions))] ~[\(text(modifications))] "
                + "sections -\(Array(deleted)) +\(Array(inserted))"
        }
    }
}

extension ObjectChange {
    /// A line such as `name: a -> b, age: nil -> 3`.
    var line: String {
        func text(_ value: Any?) -> String { value.map { "\($0)" } ?? "nil" }
        switch self {
        case .change(_, let properties):
            return properties.map {
                "\($0.name): \(text($0.oldValue)) -> \(text($0.newValue))"
            }.joined(separator: ", ")
        case .deleted: return "deleted"
        case .error(let error): return "error \(error)"
        }
    }
}

/// Runs the body with the realm of another thread, and waits for it.
func elsewhere(
    _ realm: Realm, _ body: @escaping @Sendable (Realm) throws -> Void
) throws {
    let configuration = realm.configuration
    let result = Guarded<Result<Void, any Error>>(.success(()))
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        let outcome = Result {
            let realm = try Realm(configuration: configuration)
            realm.refresh()
            try body(realm)
        }
        result.withLock { $0 = outcome }
        done.signal()
    }
    done.wait()
    try result.withLock { $0 }.get()
}

/// Waits for an event on another thread, with a time limit.
final class Signal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func fire() { semaphore.signal() }

    /// - Returns: whether it was fired within ten minutes: a machine may be busy with other tests.
    func wait() -> Bool { semaphore.wait(timeout: .now() + 600) == .success }
}
