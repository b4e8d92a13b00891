import Dispatch
import Firn
import FirnCombine
import FirnPlatform
import Foundation
import Testing

#if canImport(Combine)
import Combine
#else
import OpenCombine
import OpenCombineDispatch
#endif

@Suite("Values that a publisher hands over to another thread")
struct ThreadHandoverTests {
    private let realm: Realm
    private let shelf: Bookcase
    private let queue = DispatchQueue(label: "handing")

    init() throws { (realm, shelf) = try shelfRealm() }

    #if canImport(Combine)
    private var scheduler: DispatchQueue { queue }
    #else
    private var scheduler: DispatchQueue.OCombine { queue.ocombine }
    #endif

    @Test("Objects, collections and their changes belong to a realm of the receiving queue")
    func references() throws {
        let told = Guarded<[String]>([])
        let queue = queue
        @Sendable func note(_ line: String) {
            dispatchPrecondition(condition: .onQueue(queue))
            told.withLock { $0.append(line) }
        }
        let cancellables = [
            valuePublisher(shelf).threadSafeReference().receive(on: scheduler)
                .sink { _ in
                } receiveValue: {
                    note("object \($0.name) \($0.isFrozen)")
                },
            changesetPublisher(shelf).receive(on: scheduler).sink {
                if case .change(let shelf, _) = $0 { note("change \(shelf.name)") }
            },
            shelf.places.changesetPublisher.receive(on: scheduler).sink {
                if case .update(let map, _, _, _) = $0 { note("map \(map.keys.sorted())") }
            },
            realm.objects(Novel.self).changesetPublisher.threadSafeReference()
                .receive(on: scheduler).sink {
                    if case .update(let books, _, let inserted, _) = $0 {
                        note("books \(books.count) \(inserted)")
                    }
                },
            realm.objects(Novel.self).sectioned(by: \.title).changesetPublisher
                .receive(on: scheduler).sink {
                    if case .update(let sections, _, _, _, _, _) = $0 {
                        note("sections \(sections.count)")
                    }
                },
        ]
        realm.refresh()
        try realm.write {
            shelf.name = "second"
            shelf.places["right"] = 2
            realm.add(Novel("C"))
        }
        realm.refresh()
        queue.sync {}
        let lines = told.withLock { $0.sorted() }
        #expect(
            lines == [
                "books 3 [2]", "change second", "map [\"left\", \"right\"]", "object second false",
                "sections 3",
            ])
        for cancellable in cancellables { cancellable.cancel() }
    }

    @Test("An object deleted before delivery arrives as it was when it changed")
    func deletedOnTheWay() throws {
        let told = Guarded<[String]>([])
        let cancellable = valuePublisher(shelf).receive(on: scheduler)
            .sink { _ in
            } receiveValue: { shelf in
                told.withLock { $0.append(shelf.name) }
            }
        queue.suspend()
        try realm.write { shelf.name = "second" }
        realm.refresh()
        try realm.write { realm.delete(shelf) }
        realm.refresh()
        queue.resume()
        queue.sync {}
        #expect(told.withLock { $0 } == ["second"])
        cancellable.cancel()
    }

    @Test("Frozen values that cross threads can be collected")
    func collected() throws {
        let told = Guarded<[String]>([])
        let cancellable = valuePublisher(shelf).freeze().threadSafeReference()
            .receive(on: scheduler).prefix(2).collect()
            .sink { completion in
                if case .finished = completion { told.withLock { $0.append("end") } }
            } receiveValue: { shelves in
                told.withLock { $0.append(shelves.map(\.name).joined(separator: " ")) }
            }
        // OpenCombine ends a prefix with the value after it, Combine with its last value.
        for name in ["second", "third", "fourth"] {
            try realm.write { shelf.name = name }
            realm.refresh()
        }
        queue.sync {}
        #expect(told.withLock { $0 } == ["second third", "end"])
        cancellable.cancel()
    }

    @Test("A frozen object arrives unchanged")
    func frozen() throws {
        let told = Guarded<[String]>([])
        let cancellables = [
            valuePublisher(shelf).freeze().receive(on: scheduler)
                .sink { _ in
                } receiveValue: { shelf in
                    told.withLock { $0.append("\(shelf.name) \(shelf.isFrozen)") }
                },
            realm.objects(Novel.self).changesetPublisher.freeze().receive(on: scheduler).sink {
                guard case .update(let books, _, let inserted, _) = $0 else { return }
                told.withLock { $0.append("\(books.count) \(inserted) \(books.isFrozen)") }
            },
        ]
        realm.refresh()
        queue.suspend()
        try realm.write {
            shelf.name = "second"
            realm.add(Novel("C"))
        }
        realm.refresh()
        try realm.write {
            realm.delete(shelf)
            realm.add(Novel("D"))
        }
        queue.resume()
        queue.sync {}
        let lines = told.withLock { $0.sorted() }
        #expect(lines == ["3 [2] true", "second true"])
        for cancellable in cancellables { cancellable.cancel() }
    }
}
