import Firn
import FirnPlatform
import Foundation
import Testing

@Suite("Notification tokens")
struct NotificationTokenTests {
    @Test("A block is not called after its token was invalidated or deallocated")
    func ends() throws {
        let realm = try makeRealm([Toy.self])
        let told = Told()
        let first = realm.objects(Toy.self).observe { told.add("first \($0.line)") }
        var second: NotificationToken? = realm.objects(Toy.self).observe {
            told.add("second \($0.line)")
        }
        realm.refresh()
        #expect(told.news == ["first initial 0", "second initial 0"])
        withExtendedLifetime(second) {}
        second = nil
        try realm.write { realm.add(Toy(id: 1)) }
        realm.refresh()
        #expect(told.news == ["first -[] +[0] ~[]"])
        #expect(first.invalidate())
        #expect(!first.invalidate())
        try realm.write { realm.add(Toy(id: 2)) }
        realm.refresh()
        #expect(told.news.isEmpty)
    }

    @Test("The observation of a token that is not retained ends immediately")
    func notKept() throws {
        let realm = try makeRealm([Toy.self])
        let told = Told()
        _ = realm.objects(Toy.self).observe { told.add($0) }
        realm.refresh()
        #expect(told.news.isEmpty)
    }

    @Test("A token retains its realm, and releases everything that the block captures")
    func lifetimes() throws {
        final class Canary {}
        weak var canary: Canary?
        let configuration = try makeRealm([Toy.self]).configuration
        let told = Told()
        do {
            let bird = Canary()
            canary = bird
            let token = try Realm(configuration: configuration).objects(Toy.self).observe {
                withExtendedLifetime(bird) {}
                told.add($0)
            }
            try Realm(configuration: configuration).refresh()
            #expect(told.news == ["initial 0"])
            withExtendedLifetime(token) {}
        }
        #expect(canary == nil)
    }

    @Test("Blocks may invalidate tokens and register blocks")
    func reentrancy() throws {
        let realm = try makeRealm([Toy.self])
        let toys = realm.objects(Toy.self)
        let told = Told()
        var tokens: [NotificationToken] = []
        tokens.append(
            toys.observe { change in
                told.add("a \(change.line)")
                guard case .update = change else { return }
                for token in tokens { token.invalidate() }
                tokens = [toys.observe { told.add("c \($0.line)") }]
            })
        tokens.append(toys.observe { told.add("b \($0.line)") })
        realm.refresh()
        #expect(told.news == ["a initial 0", "b initial 0"])
        try realm.write { realm.add(Toy(id: 1)) }
        realm.refresh()
        #expect(told.news == ["a -[] +[0] ~[]", "c initial 1"])
        try realm.write { realm.add(Toy(id: 2)) }
        realm.refresh()
        #expect(told.news == ["c -[] +[1] ~[]"])
    }

    @Test("Blocks may write, and their writes are reported after the current notification")
    func writingBlocks() throws {
        let realm = try makeRealm([Toy.self])
        let toys = realm.objects(Toy.self)
        let told = Told()
        let writer = toys.observe { change in
            told.add("a \(change.line)")
            if toys.count < 3 {
                try? realm.write { realm.add(Toy(id: toys.count)) }
                told.add("a is done")
            }
        }
        let reader = toys.observe { told.add("b \($0.line)") }
        realm.refresh()
        #expect(
            told.news == [
                "a initial 0", "a is done", "b initial 1", "a -[] +[0] ~[]", "a is done",
                "b -[] +[1] ~[]", "a -[] +[1] ~[]", "a is done", "b -[] +[2] ~[]",
                "a -[] +[2] ~[]",
            ])
        withExtendedLifetime((writer, reader)) {}
    }

    @Test("A block that writes at the start of a transaction writes before the transaction")
    func writingBlockBeforeTransaction() throws {
        let realm = try makeRealm([Toy.self])
        let toys = realm.objects(Toy.self)
        let told = Told()
        let token = toys.observe { change in
            told.add(change.line)
            #expect(!realm.isInWriteTransaction)
            if toys.count == 1 { try? realm.write { realm.add(Toy(id: 2)) } }
        }
        realm.refresh()
        try elsewhere(realm) { realm in try realm.write { realm.add(Toy(id: 1)) } }
        try realm.write {
            #expect(told.news == ["initial 0", "-[] +[0] ~[]", "-[] +[1] ~[]"])
            #expect(toys.count == 2)
            realm.add(Toy(id: 3))
        }
        realm.refresh()
        #expect(told.news == ["-[] +[2] ~[]"])
        withExtendedLifetime(token) {}
    }

    @Test("A commit suppresses exactly the tokens that it names")
    func withoutNotifying() throws {
        let realm = try makeRealm([Toy.self])
        let toys = realm.objects(Toy.self)
        let told = Told()
        let first = toys.observe { told.add("a \($0.line)") }
        let second = toys.observe { told.add("b \($0.line)") }
        realm.refresh()
        _ = told.news
        try realm.write(withoutNotifying: [first]) { realm.add(Toy(id: 1)) }
        realm.refresh()
        #expect(told.news == ["b -[] +[0] ~[]"])
        try realm.write { realm.add(Toy(id: 2)) }
        try elsewhere(realm) { realm in try realm.write { realm.add(Toy(id: 3)) } }
        realm.beginWrite()
        #expect(told.news == ["a -[] +[1, 2] ~[]", "b -[] +[1, 2] ~[]"])
        realm.delete(toys[0])
        try realm.commitWrite(withoutNotifying: [second])
        realm.refresh()
        #expect(told.news == ["a -[0] +[] ~[]"])
        try realm.write { realm.delete(toys) }
        realm.refresh()
        #expect(told.news == ["a -[0, 1] +[] ~[]", "b -[0, 1] +[] ~[]"])
    }

    @Test("A commit can also suppress tokens of objects and realms")
    func withoutNotifyingOthers() throws {
        let realm = try makeRealm([Toy.self])
        let toy = Toy(id: 1)
        try realm.write { realm.add(toy) }
        let told = Told()
        let object = toy.observe { told.add("object \($0.line)") }
        let whole = realm.observe { notification, _ in told.add("\(notification)") }
        try realm.write(withoutNotifying: [object, whole]) { toy.name = "a" }
        realm.refresh()
        #expect(told.news.isEmpty)
        try realm.write { toy.name = "b" }
        #expect(told.news == ["didChange"])
        realm.refresh()
        #expect(told.news == ["object name: nil -> b"])
    }

    @Test("Of a thousand observers, a commit notifies only those concerned")
    func thousand() throws {
        let realm = try makeRealm([Toy.self])
        try realm.write { for id in 0..<1000 { realm.add(Toy(id: id)) } }
        let toys = realm.objects(Toy.self)
        let counts = Guarded([Int](repeating: 0, count: 1000))
        let tokens = (0..<1000).map { id in
            toys.filter("id == %@", id).observe { _ in counts.withLock { $0[id] += 1 } }
        }
        realm.refresh()
        #expect(counts.withLock { $0 } == [Int](repeating: 1, count: 1000))
        try realm.write { toys[7].name = "seven" }
        try elsewhere(realm) { realm in
            try realm.write { realm.objects(Toy.self)[8].name = "eight" }
        }
        realm.refresh()
        var expected = [Int](repeating: 1, count: 1000)
        expected[7] = 2
        expected[8] = 2
        #expect(counts.withLock { $0 } == expected)
        for token in tokens { token.invalidate() }
    }

    @Test("Tokens may be invalidated on any thread while blocks are called")
    func otherThreads() throws {
        let realm = try makeRealm([Toy.self])
        let toys = realm.objects(Toy.self)
        for _ in 0..<50 {
            let tokens = (0..<20).map { _ in toys.observe { _ in } }
            let done = Signal()
            Thread.detachNewThread {
                for token in tokens { token.invalidate() }
                done.fire()
            }
            realm.refresh()
            try realm.write { realm.add(Toy(id: toys.count)) }
            realm.refresh()
            #expect(done.wait())
        }
    }
}
