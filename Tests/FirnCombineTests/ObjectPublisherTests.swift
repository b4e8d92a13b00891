import Firn
import FirnCombine
import Foundation
import Testing

#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

@Suite("The publishers of an object")
struct ObjectPublisherTests {
    private let realm: Realm
    private let shelf: Bookcase

    init() throws { (realm, shelf) = try shelfRealm() }

    @Test("The will-change publisher of an object emits on a change and on its deletion")
    func willChange() throws {
        var count = 0
        var isFinished = false
        let cancellable = shelf.objectWillChange.sink { _ in
            isFinished = true
        } receiveValue: {
            count += 1
        }
        realm.refresh()
        #expect(count == 0)
        try realm.write { shelf.name = "second" }
        realm.refresh()
        #expect(count == 1)
        try realm.write { realm.add(Novel("C")) }
        realm.refresh()
        #expect(count == 1 && !isFinished)
        try realm.write { realm.delete(shelf) }
        realm.refresh()
        #expect(count == 2 && isFinished)
        cancellable.cancel()
    }

    @Test("The value publisher emits the object again for the requested key paths")
    func values() throws {
        var names: [String] = []
        var isFinished = false
        let cancellable = valuePublisher(shelf, keyPaths: ["name"]).sink { completion in
            if case .finished = completion { isFinished = true }
        } receiveValue: {
            names.append($0.name)
        }
        try realm.write { shelf.name = "second" }
        realm.refresh()
        try realm.write { shelf.tags.insert("new") }
        realm.refresh()
        #expect(names == ["second"])
        try realm.write { realm.delete(shelf) }
        realm.refresh()
        #expect(names == ["second"] && isFinished)
        cancellable.cancel()
    }

    @Test("The change publisher emits the changes to an object and finishes with its deletion")
    func changes() throws {
        var changes: [String] = []
        let cancellable = changesetPublisher(shelf).sink { _ in
            changes.append("end")
        } receiveValue: {
            switch $0 {
            case .change(let shelf, let properties):
                changes.append("\(shelf.name) \(properties.map(\.name))")
            case .deleted: changes.append("deleted")
            case .error(let error): changes.append("\(error)")
            }
        }
        try realm.write { shelf.name = "second" }
        realm.refresh()
        try realm.write { realm.delete(shelf) }
        realm.refresh()
        #expect(changes == ["second [\"name\"]", "end"])
        cancellable.cancel()
    }

    @Test("Embedded objects have publishers, too")
    func embedded() throws {
        let label = try #require(shelf.label)
        var texts: [String] = []
        var count = 0
        let values = valuePublisher(label).sink { _ in
        } receiveValue: {
            texts.append($0.text)
        }
        let changes = label.objectWillChange.sink { count += 1 }
        try realm.write { label.text = "new" }
        realm.refresh()
        #expect(texts == ["new"] && count == 1)
        values.cancel()
        changes.cancel()
    }

    @Test("The publishers of an unmanaged or frozen object emit nothing")
    func unchanging() throws {
        var count = 0
        let cancellables = [
            Bookcase().objectWillChange.sink { count += 1 },
            shelf.freeze().objectWillChange.sink { count += 1 },
            realm.freeze().objectWillChange.sink { count += 1 },
        ]
        try realm.write { shelf.name = "second" }
        realm.refresh()
        #expect(count == 0)
        for cancellable in cancellables { cancellable.cancel() }
    }

    @Test(
        "A projection publishes only changes to projected properties, even as an observable object"
    )
    func projections() throws {
        let projection = ShelfProjection(projecting: shelf)
        let willChange: RealmPublishers.WillChange<Projection<Bookcase>> =
            projection.objectWillChange
        var count = 0
        var captions: [String] = []
        var labels: [[String]] = []
        let cancellables = [
            willChange.sink { count += 1 },
            valuePublisher(projection).sink { _ in
            } receiveValue: {
                captions.append($0.caption)
            },
            changesetPublisher(projection).sink {
                if case .change(_, let properties) = $0 { labels.append(properties.map(\.name)) }
            },
        ]
        try realm.write { shelf.name = "second" }
        realm.refresh()
        try realm.write { shelf.tags.insert("new") }
        realm.refresh()
        #expect(count == 1 && captions == ["second"] && labels == [["caption"]])
        for cancellable in cancellables { cancellable.cancel() }
    }

    @Test("The publisher of a realm emits when the realm shows another version")
    func realms() throws {
        var count = 0
        let cancellable = realm.objectWillChange.sink { count += 1 }
        try realm.write { shelf.name = "second" }
        #expect(count == 1)
        cancellable.cancel()
        try realm.write { shelf.name = "third" }
        #expect(count == 1)
    }
}
