import Firn
import Foundation
import Testing

final class NameTag: Projection<Person> {
    @Projected(\Person.name) var title
    @Projected(\Person.age) var age
}

@Suite("Sequences of changes")
struct ChangeSequenceTests {
    /// Changes an unobserved age, and then a name.
    private actor Follower {
        private func people(_ configuration: Realm.Configuration) async throws -> Realm {
            let realm = try await Realm(configuration: configuration, actor: self)
            try realm.write {
                let others = (2...3).map {
                    ["id": $0, "name": "\($0)", "age": $0] as [String: Any]
                }
                realm.create(Person.self, value: ["id": 1, "name": "1", "others": others])
            }
            return realm
        }

        private func change(_ realm: Realm) throws {
            let people = realm.objects(Person.self).sorted(byKeyPath: "id")
            try realm.write { people[1].age = 77 }
            try realm.write { people[2].name = "new" }
        }

        func collections(_ configuration: Realm.Configuration) async throws -> [String] {
            let realm = try await people(configuration)
            let people = realm.objects(Person.self).sorted(byKeyPath: "id")
            var results = people.changes(keyPaths: [\.name]).makeAsyncIterator()
            var list = people[0].others.changes(keyPaths: [\.name]).makeAsyncIterator()
            var lines = [try #require(await results.next(isolation: self)).line]
            lines.append(try #require(await list.next(isolation: self)).line)
            try change(realm)
            lines.append(try #require(await results.next(isolation: self)).line)
            lines.append(try #require(await list.next(isolation: self)).line)
            return lines
        }

        func sections(_ configuration: Realm.Configuration) async throws -> [String] {
            let realm = try await people(configuration)
            let sections = realm.objects(Person.self).sectioned(by: \.id, ascending: true)
            var all = sections.changes(keyPaths: [\.name]).makeAsyncIterator()
            var third = sections[2].changes(keyPaths: [\.name]).makeAsyncIterator()
            _ = await all.next(isolation: self)
            _ = await third.next(isolation: self)
            try change(realm)
            return [
                try #require(await all.next(isolation: self)).line,
                try #require(await third.next(isolation: self)).line,
            ]
        }

        func objects(_ configuration: Realm.Configuration) async throws -> [String] {
            let realm = try await people(configuration)
            let person = realm.objects(Person.self).sorted(byKeyPath: "id")[2]
            var object = person.changes(keyPaths: [\.name]).makeAsyncIterator()
            var tag = NameTag(projecting: person).changes(keyPaths: [\.title]).makeAsyncIterator()
            try realm.write { person.age = 8 }
            try change(realm)
            return [
                try #require(await object.next(isolation: self)).line,
                try #require(await tag.next(isolation: self)).line,
            ]
        }

        func map(_ configuration: Realm.Configuration) async throws -> [String] {
            let realm = try await Realm(configuration: configuration, actor: self)
            try realm.write {
                let household = realm.create(Household.self, value: ["name": "a"])
                for name in ["x", "y"] { household.favourites[name] = Pet(value: ["name": name]) }
            }
            let favourites = realm.objects(Household.self)[0].favourites
            var changes = favourites.changes(keyPaths: [\.name]).makeAsyncIterator()
            _ = await changes.next(isolation: self)
            try realm.write { favourites["x"]??.age = 4 }
            try realm.write { favourites["y"]??.name = "z" }
            return [try #require(await changes.next(isolation: self)).line]
        }
    }

    private func lines(
        _ types: [ObjectBase.Type] = [Person.self],
        _ follow: (Follower, Realm.Configuration) async throws -> [String]
    ) async throws -> [String] {
        let test = TestRealm(types)
        let lines = try await follow(Follower(), test.configuration)
        return withExtendedLifetime(test) { lines }
    }

    @Test("Changes to a collection are a sequence with the observed key paths")
    func collections() async throws {
        let lines = try await lines { try await $0.collections($1) }
        #expect(lines == ["initial 3", "initial 2", "-[] +[] ~[2]", "-[] +[] ~[1]"])
    }

    @Test("Changes to sections and to one section are a sequence with the observed key paths")
    func sections() async throws {
        let lines = try await lines { try await $0.sections($1) }
        #expect(
            lines == [
                "-[] +[] ~[2.0] sections -[] +[]", "-[] +[] ~[2.0] sections -[] +[]",
            ])
    }

    @Test("Changes to an object and a projection are a sequence with the observed key paths")
    func objects() async throws {
        let lines = try await lines { try await $0.objects($1) }
        // The realm's own changes are reported without old values.
        #expect(lines == ["name: nil -> new", "title: nil -> new"])
    }

    @Test("Changes to a map are a sequence with the observed key paths")
    func map() async throws {
        let lines = try await lines([Household.self]) { try await $0.map($1) }
        #expect(lines == ["-[] +[] ~[\"y\"]"])
    }
}
