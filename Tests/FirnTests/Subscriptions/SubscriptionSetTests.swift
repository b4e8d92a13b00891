import Firn
import FirnTesting
import Foundation
import Testing

@Suite("The subscriptions of a realm")
struct SubscriptionSetTests {
    private let home = TestRealm([Citizen.self, Hound.self])
    private let realm: Realm
    private let classes = ["Citizen", "Home", "Hound", "Planet"]

    init() throws { realm = try home.open() }

    private func append<T: Object>(_ subscriptions: QuerySubscription<T>...) {
        let set = realm.subscriptions
        set.update { for subscription in subscriptions { set.append(subscription) } }
        #expect(set.error == nil)
    }

    private var names: [String?] { realm.subscriptions.map(\.name) }

    @Test("A new realm has no subscriptions, and their state is complete")
    func empty() {
        let set = realm.subscriptions
        #expect(set.count == 0 && set.state == .complete && set.error == nil)
        #expect(set.first == nil && set.last == nil && set[0] == nil)
        #expect(Array(set).isEmpty && set.first(named: "any") == nil)
        #expect(realm.schema.objectSchema.map(\.className) == classes)
    }

    @Test("Subscriptions are stored in the file in the order in which they were added")
    func durability() throws {
        append(QuerySubscription<Hound>(name: "puppies") { $0.age < 2 })
        append(QuerySubscription<Citizen>(where: "firstName == %@", "Ann"))
        append(QuerySubscription<Hound>(name: "all"))
        let url = URL(fileURLWithPath: home.folder("copy.firn"))
        #expect(realm.refresh())
        try realm.writeCopy(toFile: url)
        let copy = try Realm(
            configuration: Realm.Configuration(
                fileURL: url, objectTypes: [Citizen.self, Hound.self]))
        for set in [realm.subscriptions, copy.subscriptions] {
            #expect(set.map(\.name) == ["puppies", nil, "all"])
            #expect(set.state == .complete && set.count == 3)
            #expect(set.first?.name == "puppies" && set.last?.name == "all")
            #expect(set[1]?.name == nil && set[2]?.name == "all")
            #expect(set[3] == nil && set[-1] == nil)
            #expect(set.first(named: "all")?.description == "all: Hound")
            #expect(set[0]?.description == "puppies: Hound | age < 2")
        }
        for realm in [realm, copy] {
            #expect(realm.isEmpty)
            #expect(realm.schema.objectSchema.map(\.className) == classes)
        }
    }

    @Test("Subscriptions are not deleted with the objects")
    func deletingObjects() throws {
        append(QuerySubscription<Hound>(name: "all"))
        try realm.write {
            realm.add(Hound("Rex"))
            realm.deleteAll()
        }
        #expect(names == ["all"])
    }

    @Test("Each name is unique, and another query with the same name replaces the first")
    func uniqueNames() throws {
        append(QuerySubscription<Hound>(name: "mine") { $0.age < 2 })
        let before = try #require(realm.subscriptions.first(named: "mine"))
        append(QuerySubscription<Hound>(name: "mine") { $0.age < 3 })
        let after = try #require(realm.subscriptions.first(named: "mine"))
        #expect(realm.subscriptions.count == 1)
        #expect(after.description == "mine: Hound | age < 3")
        #expect(after.createdAt == before.createdAt && after.updatedAt > before.updatedAt)
        append(QuerySubscription<Citizen>(name: "mine") { $0.age < 3 })
        #expect(realm.subscriptions.map(\.description) == ["mine: Citizen | age < 3"])
    }

    @Test("Each query is unique without a name, but may be repeated under other names")
    func unnamed() throws {
        append(QuerySubscription<Hound> { $0.age < 2 })
        let before = try #require(realm.subscriptions.first)
        append(QuerySubscription<Hound>(where: "age < 2"))
        let after = try #require(realm.subscriptions.first)
        #expect(realm.subscriptions.count == 1)
        #expect(after.createdAt == before.createdAt && after.updatedAt > before.updatedAt)
        append(QuerySubscription<Hound>(name: "young") { $0.age < 2 })
        append(QuerySubscription<Citizen> { $0.age < 2 })
        #expect(names == [nil, "young", nil])
    }

    @Test("Subscriptions are found by their names and queries, however the queries are written")
    func finding() {
        append(QuerySubscription<Hound>(name: "a") { $0.age > 1 && $0.name == "Rex" })
        let set = realm.subscriptions
        #expect(set.first(named: "a")?.name == "a" && set.first(named: "b") == nil)
        #expect(set.first(ofType: Hound.self) { $0.age > 1 && $0.name == "Rex" }?.name == "a")
        #expect(
            set.first(ofType: Hound.self, where: "age > %@ AND name == 'Rex'", 1)?.name == "a")
        #expect(set.first(ofType: Hound.self) { $0.age > 1 } == nil)
        #expect(set.first(ofType: Citizen.self) { $0.age > 1 } == nil)
    }

    @Test("Subscriptions are removed one by one, by class, without a name, or all at once")
    func removing() throws {
        append(QuerySubscription<Hound>(name: "a"), QuerySubscription<Hound>(name: "b"))
        append(QuerySubscription<Hound> { $0.age == 1 }, QuerySubscription<Hound> { $0.age == 2 })
        append(QuerySubscription<Citizen>(name: "c"), QuerySubscription<Citizen>())
        let set = realm.subscriptions
        set.update { set.remove(named: "a") }
        #expect(names == ["b", nil, nil, "c", nil])
        set.update {
            set.remove(named: "none")
            set.remove(ofType: Hound.self) { $0.age == 1 }
            set.remove(ofType: Hound.self, where: "age == %@", 7)
        }
        #expect(names == ["b", nil, "c", nil])
        let b = try #require(set.first(named: "b"))
        set.update {
            set.remove(b)
            set.remove(b)
        }
        #expect(names == [nil, "c", nil])
        set.update { set.removeAll(ofType: Hound.self) }
        #expect(names == ["c", nil])
        set.update { set.removeAll(unnamedOnly: true) }
        #expect(names == ["c"])
        set.update { set.removeAll() }
        #expect(names.isEmpty)
    }

    @Test("A subscription can get another query of the same class")
    func updatingQueries() throws {
        append(QuerySubscription<Hound>(name: "mine") { $0.age < 2 })
        let set = realm.subscriptions
        let found = try #require(set.first(named: "mine"))
        set.update { found.updateQuery(toType: Hound.self) { $0.age < 3 } }
        #expect(set.first?.description == "mine: Hound | age < 3")
        #expect(set.first.map { $0.updatedAt > found.updatedAt } == true)
        set.update { found.updateQuery(toType: Hound.self, where: "age < %@", 4) }
        #expect(set.first?.description == "mine: Hound | age < 4")
        set.update { found.updateQuery(toType: Hound.self) }
        #expect(realm.subscriptions.first?.description == "mine: Hound")
    }

    @Test("The query strings of subscriptions find the same objects in the query language")
    func canonicalText() throws {
        try realm.write {
            realm.add(Hound("Rex", age: 1))
            realm.add(Hound("Ann's \"dog\"", age: 4))
        }
        append(
            QuerySubscription<Hound>(name: "quoted") { $0.name == "Ann's \"dog\"" && $0.age > 1 })
        let text = try #require(realm.subscriptions.first?.description.dropFirst(8))
        let condition = try #require(text.split(separator: "|").last)
        #expect(realm.objects(Hound.self).filter(String(condition)).map(\.age) == [4])
    }
}
