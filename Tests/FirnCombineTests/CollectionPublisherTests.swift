import Firn
import FirnCombine
import Foundation
import Testing

#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

@Suite("The publishers of a collection")
struct CollectionPublisherTests {
    private let realm: Realm
    private let shelf: Bookcase

    init() throws { (realm, shelf) = try shelfRealm() }

    @Test("The value publisher emits a collection at first and after every change")
    func values() throws {
        var counts: [Int] = []
        let cancellable = realm.objects(Novel.self).collectionPublisher
            .sink { _ in
            } receiveValue: {
                counts.append($0.count)
            }
        realm.refresh()
        try realm.write { realm.add(Novel("C")) }
        realm.refresh()
        #expect(counts == [2, 3])
        cancellable.cancel()
        try realm.write { realm.add(Novel("D")) }
        realm.refresh()
        #expect(counts == [2, 3])
    }

    @Test("The changeset publisher emits each change to the requested key paths")
    func changes() throws {
        var lines: [String] = []
        let cancellable = changesetPublisher(shelf.books, keyPaths: ["title"])
            .sink { lines.append($0.line) }
        realm.refresh()
        try realm.write { shelf.books[1].title = "new" }
        realm.refresh()
        try realm.write { shelf.books[1].pages = 7 }
        realm.refresh()
        try realm.write { shelf.books.remove(at: 0) }
        realm.refresh()
        #expect(lines == ["initial 2", "-[] +[] ~[1]", "-[0] +[] ~[]"])
        cancellable.cancel()
    }

    @Test("The will-change publisher emits on changes and not at first")
    func willChange() throws {
        var count = 0
        let cancellables = [
            shelf.books.objectWillChange.sink { count += 1 },
            shelf.tags.objectWillChange.sink { count += 1 },
            shelf.places.objectWillChange.sink { count += 1 },
            realm.objects(Novel.self).objectWillChange.sink { count += 1 },
        ]
        realm.refresh()
        #expect(count == 0)
        try realm.write {
            shelf.books.append(Novel("C"))
            shelf.tags.insert("new")
            shelf.places["right"] = 2
        }
        realm.refresh()
        #expect(count == 4)
        for cancellable in cancellables { cancellable.cancel() }
    }

    @Test("The publishers finish when the object that owns the collection is deleted")
    func ending() throws {
        var lines: [String] = []
        var counts: [Int] = []
        let cancellables = [
            shelf.books.changesetPublisher.sink { _ in
                lines.append("end")
            } receiveValue: {
                lines.append($0.line)
            },
            shelf.books.collectionPublisher.sink { _ in
                counts.append(-1)
            } receiveValue: {
                counts.append($0.count)
            },
        ]
        realm.refresh()
        try realm.write { realm.delete(shelf) }
        realm.refresh()
        #expect(lines == ["initial 2", "-[0, 1] +[] ~[]", "end"])
        #expect(counts == [2, -1])
        for cancellable in cancellables { cancellable.cancel() }
    }

    @Test("The publishers of a map emit its keys")
    func maps() throws {
        var keys: [[String]] = []
        var lines: [String] = []
        let cancellables = [
            valuePublisher(shelf.places).sink { _ in
            } receiveValue: {
                keys.append($0.keys.sorted())
            },
            changesetPublisher(shelf.places).sink {
                if case .update(_, let deleted, let inserted, let modified) = $0 {
                    lines.append("-\(deleted) +\(inserted) ~\(modified)")
                }
            },
        ]
        realm.refresh()
        try realm.write {
            shelf.places["left"] = 7
            shelf.places["right"] = 2
        }
        realm.refresh()
        #expect(keys == [["left"], ["left", "right"]])
        #expect(lines == ["-[] +[\"right\"] ~[\"left\"]"])
        for cancellable in cancellables { cancellable.cancel() }
    }

    @Test("The publishers of sections emit index paths")
    func sections() throws {
        let sections = realm.objects(Novel.self).sectioned(by: \.title)
        var lines: [String] = []
        let cancellable = sections.changesetPublisher.sink {
            switch $0 {
            case .initial(let sections): lines.append("initial \(sections.allKeys)")
            case .update(_, let deleted, let inserted, _, let new, _):
                lines.append("-\(deleted.count) +\(inserted.count) \(Array(new))")
            }
        }
        realm.refresh()
        try realm.write { realm.add(Novel("C")) }
        realm.refresh()
        #expect(lines == ["initial [\"A\", \"B\"]", "-0 +1 [2]"])
        cancellable.cancel()
    }

    @Test("Without demand, the publishers retain all changes but only the newest value")
    func demand() throws {
        let changes = Patient<RealmCollectionChange<Results<Novel>>, Never>()
        let values = Patient<Results<Novel>, any Error>()
        realm.objects(Novel.self).changesetPublisher.subscribe(changes)
        realm.objects(Novel.self).collectionPublisher.subscribe(values)
        for title in ["C", "D"] {
            realm.refresh()
            try realm.write { realm.add(Novel(title)) }
        }
        realm.refresh()
        #expect(changes.received.isEmpty && values.received.isEmpty)
        changes.subscription?.request(.max(2))
        // The collection is live: its content is current, however old the change is.
        #expect(changes.received.map(\.line) == ["initial 4", "-[] +[2] ~[]"])
        changes.subscription?.request(.unlimited)
        #expect(changes.received.count == 3)
        values.subscription?.request(.max(2))
        #expect(values.received.map(\.count) == [4])
        changes.subscription?.cancel()
        values.subscription?.cancel()
    }

    @Test("A write can skip the notification for a saved token")
    func tokens() throws {
        let holder = TokenHolder()
        var lines: [String] = []
        let cancellable = shelf.books.changesetPublisher
            .saveToken(on: holder, at: \.token).sink { lines.append($0.line) }
        realm.refresh()
        let token = try #require(holder.token)
        try realm.write(withoutNotifying: [token]) { shelf.books.append(Novel("C")) }
        realm.refresh()
        #expect(lines == ["initial 2"])
        try realm.write { shelf.books.append(Novel("D")) }
        realm.refresh()
        #expect(lines == ["initial 2", "-[] +[3] ~[]"])
        cancellable.cancel()
    }

    @Test("The publisher of a realm stores its token for a property")
    func realmToken() throws {
        let holder = TokenHolder()
        let realm = try #require(shelf.realm)
        let cancellable = realm.objectWillChange.saveToken(on: holder, for: \.token).sink { _ in }
        #expect(holder.token != nil)
        cancellable.cancel()
    }
}

final class TokenHolder {
    var token: NotificationToken?
}

/// A subscriber without demand of its own.
final class Patient<Input, Failure: Error>: Subscriber {
    private(set) var subscription: (any Subscription)?
    private(set) var received: [Input] = []

    func receive(subscription: any Subscription) { self.subscription = subscription }

    func receive(_ input: Input) -> Subscribers.Demand {
        received.append(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {}
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
