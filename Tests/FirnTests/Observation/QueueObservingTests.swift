import Firn
import FirnEngine
import FirnPlatform
import FirnQuery
import FirnTesting
import FirnValues
import Foundation
import Testing

/// Tests that wait have a thread of their own: the threads of the tests also run the work that they
/// wait for.
@Suite("Observation on queues and actors")
struct QueueObservingTests {
    @Test("A block on a queue receives a collection from a realm of that queue")
    func queue() async throws {
        try await TestRealm.elsewhere { try queueHere() }
    }

    private func queueHere() throws {
        let realm = try makeRealm([Toy.self])
        let queue = DispatchQueue(label: "blocks")
        let told = Told()
        let signal = Signal()
        let token = realm.objects(Toy.self).observe(on: queue) { change in
            dispatchPrecondition(condition: .onQueue(queue))
            if case .update(let toys, _, _, _) = change { told.add(toys.map(\.name).joined()) }
            told.add(change)
            signal.fire()
        }
        #expect(signal.wait())
        #expect(told.news == ["initial 0"])
        try realm.write { realm.add(Toy(id: 1, name: "a")) }
        #expect(signal.wait())
        #expect(told.news == ["a", "-[] +[0] ~[]"])
        try elsewhere(realm) { realm in try realm.write { realm.add(Toy(id: 2, name: "b")) } }
        #expect(signal.wait())
        #expect(told.news == ["ab", "-[] +[1] ~[]"])
        token.invalidate()
        queue.sync {}
        try realm.write { realm.add(Toy(id: 3)) }
        queue.sync {}
        #expect(told.news.isEmpty)
    }

    @Test("Changes to an object before the observation starts on its queue are reported")
    func onTheWay() async throws {
        try await TestRealm.elsewhere { try onTheWayHere() }
    }

    private func onTheWayHere() throws {
        let realm = try makeRealm([Toy.self])
        let (toy, other) = (Toy(id: 1, name: "a"), Toy(id: 2))
        try realm.write { realm.add([toy, other]) }
        let queue = DispatchQueue(label: "blocks")
        let told = Told()
        queue.suspend()
        let tokens = [
            toy.observe(on: queue) { told.add($0.line) },
            other.observe(on: queue) { told.add($0.line) },
            toy.observe(on: queue) { _ in Issue.record("it has ended") },
        ]
        tokens[2].invalidate()
        try realm.write {
            toy.name = "b"
            realm.delete(other)
        }
        queue.resume()
        let deadline = Date() + 600
        var news: [String] = []
        while news.count < 2, Date() < deadline {
            queue.sync {}
            news += told.news
        }
        #expect(news.sorted() == ["deleted", "name: a -> b"])
        withExtendedLifetime(tokens) {}
    }

    @Test("Commits on many threads reach a queue, and its copy always equals the collection")
    func copies() async throws {
        try await TestRealm.elsewhere { try copiesHere() }
    }

    private func copiesHere() throws {
        let test = TestRealm([Toy.self])
        let realm = try test.open()
        let queue = DispatchQueue(label: "copy")
        let copy = Guarded<[String]>([])
        let signal = Signal()
        let token = realm.objects(Toy.self).sorted(byKeyPath: "name").observe(on: queue) {
            change in
            switch change {
            case .initial(let toys): copy.withLock { $0 = toys.map(\.name) }
            case .update(let toys, let deletions, let insertions, let modifications):
                copy.withLock { copy in
                    for index in modifications { copy[index] = "?" }
                    for index in deletions.reversed() { copy.remove(at: index) }
                    for index in insertions { copy.insert(toys[index].name, at: index) }
                    for index in copy.indices where copy[index] == "?" {
                        copy[index] = toys[index].name
                    }
                    #expect(copy == toys.map(\.name))
                }
            case .error(let error): Issue.record(error)
            }
            if change.count == 60 { signal.fire() }
        }
        let configuration = test.configuration
        for writer in 0..<3 {
            Thread.detachNewThread {
                for number in 0..<20 {
                    do {
                        let realm = try Realm(configuration: configuration)
                        try realm.write {
                            let id = writer * 20 + number
                            realm.add(Toy(id: id, name: "\(id * 7919 % 100)"))
                            let toys = realm.objects(Toy.self)
                            toys[id * 31 % toys.count].name = "\(id * 104_729 % 100)"
                        }
                    } catch {
                        Issue.record(error)
                    }
                }
            }
        }
        #expect(signal.wait())
        token.invalidate()
        queue.sync {}
    }

    /// An object that belongs to one queue.
    private final class Held: @unchecked Sendable {
        var realm: Realm?
        var tokens: [NotificationToken] = []
    }

    /// Once the last of several writes was never shown: no code asked whether it was complete, and
    /// so its completion never ran.
    @Test("Asynchronous writes are reported in order once they are on disk")
    func asyncWrites() async throws {
        try await TestRealm.elsewhere { try asyncWritesHere() }
    }

    private func asyncWritesHere() throws {
        let test = TestRealm([Toy.self])
        let queue = DispatchQueue(label: "writes")
        let (told, signal, held) = (Told(), Signal(), Held())
        try queue.sync {
            let realm = try Realm(configuration: test.configuration, queue: queue)
            held.realm = realm
            let toys = realm.objects(Toy.self)
            held.tokens = [
                toys.observe { change in
                    told.add(change)
                    if toys.count == 5 { signal.fire() }
                },
                realm.observe { notification, _ in told.add("\(notification)") },
            ]
        }
        #expect(queue.sync { told.news } == ["initial 0"])
        queue.sync {
            guard let realm = held.realm else { return }
            for id in 0..<5 { realm.writeAsync { realm.add(Toy(id: id)) } }
        }
        #expect(signal.wait())
        queue.sync {
            #expect(held.realm?.isPerformingAsynchronousWriteOperations == false)
            held.tokens = []
            held.realm = nil
        }
        let news = told.news
        #expect(news.filter { $0 == "didChange" }.count == 5)
        // Several commits may arrive as one change, but none may be missing.
        let insertions = news.filter { $0 != "didChange" }.flatMap { line in
            line.split { !$0.isNumber }.compactMap { Int($0) }
        }
        #expect(insertions == [0, 1, 2, 3, 4])
    }

    @Test("A realm without automatic refresh reports only its own commits")
    func noAutorefresh() async throws {
        try await TestRealm.elsewhere { try noAutorefreshHere() }
    }

    private func noAutorefreshHere() throws {
        let test = TestRealm([Toy.self])
        let queue = DispatchQueue(label: "blocks")
        let (told, signal, held) = (Told(), Signal(), Held())
        try queue.sync {
            let realm = try Realm(configuration: test.configuration, queue: queue)
            realm.autorefresh = false
            held.realm = realm
            held.tokens = [
                realm.objects(Toy.self).observe { told.add($0) },
                realm.observe { notification, _ in
                    told.add("\(notification)")
                    signal.fire()
                },
            ]
        }
        queue.sync {}
        let realm = try test.open()
        try realm.write { realm.add(Toy(id: 1)) }
        #expect(signal.wait())
        queue.sync {}
        #expect(told.news == ["initial 0", "refreshRequired"])
        queue.sync { held.realm?.autorefresh = true }
        #expect(signal.wait())
        queue.sync {}
        #expect(told.news.sorted() == ["-[] +[0] ~[]", "didChange"])
        queue.sync {
            held.tokens = []
            held.realm = nil
        }
    }

    @Test("A commit by another process wakes the queue")
    func otherProcess() async throws {
        try await TestRealm.elsewhere { try otherProcessHere() }
    }

    private func otherProcessHere() throws {
        let test = TestRealm([Toy.self])
        let realm = try test.open()
        let queue = DispatchQueue(label: "blocks")
        let told = Told()
        let signal = Signal()
        let token = realm.objects(Toy.self).observe(on: queue) { change in
            told.add(change)
            signal.fire()
        }
        #expect(signal.wait())
        // A second handle shares only the file with the first.
        let other = try Database.open(test.folder("test.firn"), readOnly: false)
        for number in 0..<3 {
            let transaction = try other.store.beginWrite()
            try other.run(
                "Toy | set name = \"\(number)\"", in: transaction)
            if number == 0 {
                let toy = try #require(transaction.schema.classNamed("Toy"))
                _ = try transaction.create(in: toy.id, [.int(7), .string("new")])
            }
            _ = try transaction.commit()
            #expect(signal.wait())
        }
        #expect(told.news == ["initial 0", "-[] +[0] ~[]", "-[] +[] ~[0]", "-[] +[] ~[0]"])
        token.invalidate()
        try other.store.close()
    }

    @Test("Nothing keeps the file open after the last observation has ended")
    func nothingLeft() async throws {
        try await TestRealm.elsewhere { try nothingLeftHere() }
    }

    private func nothingLeftHere() throws {
        let test = TestRealm([Toy.self])
        do {
            let realm = try test.open()
            try realm.write { realm.add(Toy(id: 1)) }
            try realm.write { realm.add(Toy(id: 2)) }
            let token = realm.objects(Toy.self).observe { _ in }
            realm.refresh()
            token.invalidate()
        }
        let deadline = Date() + 600
        // The thread that waited for other processes ends on its own.
        while try leftovers(test) != [], Date() < deadline { sched_yield() }
        #expect(try leftovers(test) == [])
    }

    private func leftovers(_ test: TestRealm) throws -> [String] {
        let folder = URL(fileURLWithPath: test.folder("test.firn")).deletingLastPathComponent()
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0 != "test.firn" }
    }

    actor Keeper {
        private(set) var lines: [String] = []
        private var waiting: CheckedContinuation<Void, Never>?
        private var wanted = 0
        var token: NotificationToken?

        func add(_ line: String) {
            lines.append(line)
            if lines.count >= wanted {
                waiting?.resume()
                waiting = nil
            }
        }

        func wait(for count: Int) async {
            wanted = count
            guard lines.count < count else { return }
            await withCheckedContinuation { waiting = $0 }
        }

        func observe(_ configuration: Realm.Configuration) async throws {
            let realm = try await Realm(configuration: configuration, actor: self)
            token = await realm.objects(Toy.self).observe(on: self) { keeper, change in
                keeper.add(change.line)
            }
        }
    }

    @Test("A block is isolated to its actor, and gets all commits after the call")
    func actors() async throws {
        let test = TestRealm([Toy.self])
        let keeper = Keeper()
        try await keeper.observe(test.configuration)
        await keeper.wait(for: 1)
        try await TestRealm.elsewhere {
            let realm = try test.open()
            try realm.write { realm.add(Toy(id: 1)) }
        }
        await keeper.wait(for: 2)
        #expect(await keeper.lines == ["initial 0", "-[] +[0] ~[]"])
    }

    actor Owner {
        func run(_ configuration: Realm.Configuration, for keeper: Keeper) async throws {
            let realm = try await Realm(configuration: configuration, actor: self)
            let toy = Toy(id: 1, name: "a")
            try realm.write { realm.add(toy) }
            let token = await toy.observe(on: keeper) { keeper, change in
                keeper.add(change.line)
            }
            try realm.write { toy.name = "b" }
            await keeper.wait(for: 1)
            try realm.write { realm.delete(toy) }
            await keeper.wait(for: 2)
            withExtendedLifetime(token) {}
        }
    }

    @Test("An object is passed to another actor, and no change is lost in between")
    func otherActor() async throws {
        let test = TestRealm([Toy.self])
        let keeper = Keeper()
        try await Owner().run(test.configuration, for: keeper)
        #expect(await keeper.lines == ["name: a -> b", "deleted"])
    }

    actor Reader {
        func read(_ configuration: Realm.Configuration, _ signal: Signal) async throws -> [String] {
            let realm = try await Realm(configuration: configuration, actor: self)
            var lines: [String] = []
            for await change in realm.objects(Toy.self).changes() {
                lines.append(change.line)
                signal.fire()
                if change.count == 2 { break }
            }
            return lines
        }

        func follow(_ configuration: Realm.Configuration, _ signal: Signal) async throws -> [String]
        {
            let realm = try await Realm(configuration: configuration, actor: self)
            let toy = try #require(realm.objects(Toy.self).first)
            var lines: [String] = []
            let changes = toy.changes(keyPaths: ["name"]).makeAsyncIterator()
            signal.fire()
            var iterator = changes
            while let change = await iterator.next(isolation: self) {
                lines.append(change.line)
                signal.fire()
            }
            return lines
        }
    }

    @Test("Changes to a collection are a sequence")
    func sequence() async throws {
        let test = TestRealm([Toy.self])
        let signal = Signal()
        async let lines = Reader().read(test.configuration, signal)
        try await TestRealm.elsewhere {
            let realm = try test.open()
            for id in 1...2 {
                #expect(signal.wait())
                try realm.write { realm.add(Toy(id: id)) }
            }
        }
        #expect(try await lines == ["initial 0", "-[] +[0] ~[]", "-[] +[1] ~[]"])
    }

    @Test("Changes to an object are a sequence that ends with the object or the task")
    func objectSequence() async throws {
        let test = TestRealm([Toy.self])
        try await TestRealm.elsewhere {
            let realm = try test.open()
            try realm.write { realm.add(Toy(id: 1, name: "a")) }
        }
        let (signal, other) = (Signal(), Signal())
        async let lines = Reader().follow(test.configuration, signal)
        let task = Task { try await Reader().follow(test.configuration, other) }
        try await TestRealm.elsewhere {
            let realm = try test.open()
            #expect(signal.wait())
            #expect(other.wait())
            try realm.write { realm.objects(Toy.self)[0].name = "b" }
            #expect(signal.wait())
            #expect(other.wait())
            task.cancel()
        }
        #expect(try await task.value == ["name: a -> b"])
        try await TestRealm.elsewhere {
            let realm = try test.open()
            try realm.write { realm.delete(realm.objects(Toy.self)) }
        }
        #expect(try await lines == ["name: a -> b", "deleted"])
    }
}

extension RealmCollectionChange where CollectionType: Collection {
    fileprivate var count: Int? {
        switch self {
        case .initial(let collection), .update(let collection, _, _, _): collection.count
        case .error: nil
        }
    }
}
