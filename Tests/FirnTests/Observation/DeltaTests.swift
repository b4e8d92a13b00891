import Firn
import Foundation
import Testing

extension DetailedCollectionChange {
    /// A line such as `initial 3` or `-[0 deleted a] +[1 created] ~[2>1 c]`.
    func line(_ text: (Collection.Element) -> String) -> String {
        switch self {
        case .initial(let collection): return "initial \(collection.count)"
        case .error(let error): return "error \(error)"
        case .update(_, let delta):
            let deletions = delta.deletions.map { "\($0.index) \($0.reason) \(text($0.element))" }
            let insertions = delta.insertions.map { "\($0.index) \($0.reason)" }
            let modifications = delta.modifications.map {
                "\($0.oldIndex)>\($0.newIndex) \(text($0.oldElement))"
            }
            return "-\(deletions) +\(insertions) ~\(modifications)"
                .replacingOccurrences(of: "\"", with: "")
        }
    }
}

@Suite("Changes with old values")
struct DeltaTests {
    @Test("Changes contain the old objects with their keys, and their new state")
    func objects() throws {
        let realm = try makeRealm([Toy.self])
        try realm.write { for id in 1...5 { realm.add(Toy(id: id, name: "\(id)")) } }
        let told = Told()
        let toys = realm.objects(Toy.self).filter("name != 'x'").sorted(byKeyPath: "name")
        let token = toys.observeDeltas { change in
            told.add(change.line { "\($0.id)=\($0.name)" })
        }
        realm.refresh()
        #expect(told.news == ["initial 5"])
        try elsewhere(realm) { realm in
            let toys = realm.objects(Toy.self).sorted(byKeyPath: "id")
            let all = Array(toys)
            try realm.write {
                realm.delete(all[0])
                all[1].name = "x"
                all[2].name = "9"
                all[4].name = "50"
                realm.add(Toy(id: 6, name: "0"))
            }
        }
        realm.refresh()
        #expect(
            told.news == [
                "-[0 deleted 1=1, 1 left 2=2, 2 moved 3=3] +[0 created, 3 moved] ~[4>2 5=5]"
            ])
        try realm.write { realm.object(ofType: Toy.self, forPrimaryKey: 2)?.name = "1" }
        realm.refresh()
        #expect(told.news == ["-[] +[1 entered] ~[]"])
        withExtendedLifetime(token) {}
    }

    @Test("Changes contain frozen objects, which do not change and can be sent to other threads")
    func frozen() throws {
        let realm = try makeRealm([Toy.self])
        try realm.write { realm.add(Toy(id: 1, name: "a")) }
        var kept: [Toy] = []
        let token = realm.objects(Toy.self).observeDeltas { change in
            guard case .update(_, let delta) = change else { return }
            kept += delta.deletions.map(\.element) + delta.modifications.map(\.oldElement)
        }
        realm.refresh()
        for name in ["b", "c"] {
            try realm.write { realm.objects(Toy.self).first?.name = name }
            realm.refresh()
        }
        try realm.write { realm.deleteAll() }
        realm.refresh()
        #expect(kept.map(\.name) == ["a", "b", "c"])
        #expect(!kept.contains { !$0.isFrozen })
        withExtendedLifetime(token) {}
    }

    @Test("Changes contain the values of lists and sets")
    func values() throws {
        let realm = try makeRealm([NumberShelf.self])
        let shelf = NumberShelf()
        shelf.numbers.append(objectsIn: [10, 20, 30])
        shelf.words.insert(objectsIn: ["a", "b"])
        try realm.write { realm.add(shelf) }
        let told = Told()
        let tokens = [
            shelf.numbers.observeDeltas { told.add($0.line { "\($0)" }) },
            shelf.words.observeDeltas { told.add($0.line { $0 }) },
            shelf.numbers.sorted(byKeyPath: "self").observeDeltas { told.add($0.line { "\($0)" }) },
        ]
        realm.refresh()
        #expect(told.news == ["initial 3", "initial 2", "initial 3"])
        try realm.write {
            shelf.numbers[0] = 11
            shelf.numbers.remove(at: 1)
            shelf.words.remove("b")
        }
        realm.refresh()
        #expect(
            told.news == [
                "-[1 left 20] +[] ~[0>0 10]", "-[1 left b] +[] ~[]",
                "-[0 left 10, 1 left 20] +[0 entered] ~[]",
            ])
        try realm.write { realm.delete(shelf) }
        realm.refresh()
        #expect(told.news.first == "-[0 left 11, 1 left 30] +[] ~[]")
        withExtendedLifetime(tokens) {}
    }

    @Test("Changes arrive as a sequence, and on queues")
    func elsewhereToo() async throws {
        let test = TestRealm([Toy.self])
        let follower = Follower()
        let lines = try await follower.follow(test.configuration)
        #expect(lines == ["initial 1", "-[0 deleted a] +[] ~[]"])
    }

    private actor Follower {
        func follow(_ configuration: Realm.Configuration) async throws -> [String] {
            let realm = try await Realm(configuration: configuration, actor: self)
            try realm.write { realm.add(Toy(id: 1, name: "a")) }
            var deltas = realm.objects(Toy.self).deltas().makeAsyncIterator()
            var lines = [try #require(await deltas.next(isolation: self)).line(\.name)]
            try realm.write { realm.deleteAll() }
            lines.append(try #require(await deltas.next(isolation: self)).line(\.name))
            return lines
        }
    }
}

final class NumberShelf: Object {
    @Persisted var numbers: List<Int>
    @Persisted var words: MutableSet<String>
}
