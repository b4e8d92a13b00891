import FirnTesting
import Foundation
import Testing

@testable import Firn

@Suite("Results")
struct ResultsTests {
    private let realm: Realm

    init() throws {
        realm = try citizenRealm { realm in
            let ann = Citizen("Ann", "Berg", age: 30)
            ann.weight = 60.5
            let bob = Citizen("bob", "Berg", age: 20)
            let cid = Citizen("Cid", "Aas", age: 40)
            cid.weight = 80
            realm.add([ann, bob, cid])
            cid.spouse = ann
            ann.friends.append(bob)
            ann.friends.append(cid)
            ann.friends.append(bob)
        }
    }

    private var all: Results<Citizen> { realm.objects(Citizen.self) }

    private func names(_ results: Results<Citizen>) -> [String] { results.map(\.firstName) }

    @Test("Results contain all objects of the class")
    func objects() {
        #expect(all.count == 3)
        #expect(!all.isEmpty)
        #expect(all[1].firstName == "bob")
        #expect(all.first?.firstName == "Ann")
        #expect(all.last?.firstName == "Cid")
        #expect(all.indices == 0..<3)
        #expect(all[1...].map(\.firstName) == ["bob", "Cid"])
        #expect(all[0..<1].map(\.firstName) == ["Ann"])
        #expect(realm.objects(Hound.self).first == nil)
        #expect(realm.objects(Hound.self).last == nil)
        #expect(realm.objects(Hound.self).isEmpty)
    }

    /// They were found once more with all others, by the first step of a loop over them.
    @Test("A prefix of results is found without the rest, and matches the full results")
    func prefixes() async throws {
        let sorted = all.sorted(byKeyPath: "age")
        let first = sorted.prefix(2)
        #expect(first.map(\.firstName) == ["bob", "Ann"])
        #expect(first.reduce(0) { $0 + $1.age } == 50)
        #expect(first.reversed().map(\.age) == [30, 20] && first.dropFirst().first?.age == 30)
        #expect(sorted.core.knownContent == nil)
        #expect(first.indices == 0..<2)
        #expect(sorted[2].firstName == "Cid" && sorted.count == 3)
        #expect(sorted.prefix(0).isEmpty && sorted.prefix(9).map(\.age) == [20, 30, 40])
        #expect(all.filter("age > 25").prefix(1).map(\.firstName) == ["Ann"])
        #expect(all.filter("age > 99").prefix(1).isEmpty)
        let frozen = all.sorted(byKeyPath: "age", ascending: false).freeze()
        #expect(frozen.prefix(1).map(\.firstName) == ["Cid"])
        try realm.write {
            #expect(sorted.prefix(1).map(\.firstName) == ["bob"])
            all[1].age = 90
            #expect(sorted.prefix(2).map(\.firstName) == ["Ann", "Cid"])
            for citizen in sorted.prefix(2) { citizen.lastName = "x" }
        }
        #expect(sorted.prefix(2).map(\.lastName) == ["x", "x"])
        #expect(frozen.prefix(3).map(\.age) == [40, 30, 20])
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).prefix(-1)
        }.says("prefix(-1) of results")
    }

    @Test("Results show later changes")
    func live() throws {
        let old = all.filter("age > 25")
        #expect(old.count == 2)
        try realm.write { all[1].age = 90 }
        #expect(old.count == 3)
        try realm.write {
            realm.add(Citizen("Dag", age: 26))
            #expect(old.count == 4)
            #expect(old.last?.firstName == "Dag")
        }
    }

    @Test("Results are filtered by a query string")
    func filter() {
        #expect(names(all.filter("lastName == %@", "Berg")) == ["Ann", "bob"])
        #expect(names(all.filter("%K > %@ AND age < $2", "age", 25, 35)) == ["Ann"])
        #expect(names(all.filter("ANY friends.firstName == 'Cid'")) == ["Ann"])
        #expect(names(all.filter("spouse == %@", all[0])) == ["Cid"])
        #expect(names(all.filter("age IN %@", [20, 40])) == ["bob", "Cid"])
        #expect(names(all.filter("lastName == 'Berg'").filter("age < 30")) == ["bob"])
        #expect(names(all.filter("weight == %@", Double?.none as Any)) == ["bob"])
    }

    @Test("Results are sorted by properties, with the last sort first")
    func sorted() {
        #expect(names(all.sorted(byKeyPath: "age")) == ["bob", "Ann", "Cid"])
        #expect(names(all.sorted(byKeyPath: "age", ascending: false)) == ["Cid", "Ann", "bob"])
        #expect(names(all.sorted(by: \.firstName)) == ["Ann", "Cid", "bob"])
        #expect(names(all.sorted(by: \.weight)) == ["bob", "Ann", "Cid"])
        #expect(names(all.sorted(by: \.weight, ascending: false)) == ["Cid", "Ann", "bob"])
        #expect(names(all.sorted(by: ["lastName", "age"])) == ["Cid", "bob", "Ann"])
        #expect(
            names(
                all.sorted(by: [
                    SortDescriptor(keyPath: "lastName", ascending: false),
                    SortDescriptor(keyPath: \Citizen.age),
                ])) == ["bob", "Ann", "Cid"])
        #expect(
            names(all.sorted(byKeyPath: "age").sorted(byKeyPath: "lastName"))
                == ["Cid", "bob", "Ann"])
        #expect(names(all.sorted(byKeyPath: "spouse.age")) == ["Ann", "bob", "Cid"])
        #expect(names(all.sorted(by: [Firn.SortDescriptor]())) == ["Ann", "bob", "Cid"])
    }

    @Test(
        "Objects without a link on a sort path sort like nil, first in ascending order",
        .tags(.difference))
    func sortedByLinks() {
        #expect(names(all.sorted(byKeyPath: "spouse.age")) == ["Ann", "bob", "Cid"])
        #expect(
            names(all.sorted(byKeyPath: "spouse.age", ascending: false)) == ["Cid", "Ann", "bob"])
    }

    @Test("Distinct results have each combination of values once")
    func distinct() {
        #expect(names(all.distinct(by: ["lastName"])) == ["Ann", "Cid"])
        #expect(names(all.distinct(by: [\Citizen.lastName, \.age])) == ["Ann", "bob", "Cid"])
        #expect(
            names(all.sorted(byKeyPath: "age").distinct(by: [\Citizen.lastName]))
                == ["bob", "Cid"])
    }

    @Test("Results return the index of an element")
    func positions() throws {
        #expect(all.index(of: all[2]) == 2)
        #expect(all.filter("age < 40").index(of: all[2]) == nil)
        #expect(all.index(of: Citizen("Eva")) == nil)
        #expect(all.index(matching: "age > %@", 25) == 0)
        #expect(all.index(matching: "age > 25 AND age < 45 AND firstName != 'Ann'") == 2)
        #expect(all.index(matching: "age > 100") == nil)
        #expect(all.index(matching: { $0.age == 20 }) == 1)
        #expect(all.sorted(by: \.age).index(matching: { $0.age == 20 }) == 0)
        #expect(all.objects(at: [0, 2]).map(\.firstName) == ["Ann", "Cid"])
        #expect(all.objects(at: []).isEmpty)
        #expect(all.contains(all[1]) == false, "objects without a key are equal only to themselves")
        let ann = try #require(all.first)
        #expect(ann.friends.index(of: all[2]) == 1)
        #expect(ann.friends.index(matching: "firstName == 'bob'") == 0)
    }

    @Test("Results return values by property names", .tags(.difference))
    func keyValues() throws {
        #expect(all.value(forKey: "firstName") as? [String] == ["Ann", "bob", "Cid"])
        #expect(all.value(forKey: "age") as? [Int] == [30, 20, 40])
        #expect(all.value(forKey: "weight") as? [Double?] == [60.5, nil, 80])
        #expect((all.value(forKey: "self") as? [Citizen])?.count == 3)
        let names = all.value(forKeyPath: "spouse.firstName") as? [Any]
        #expect(names?.last as? String == "Ann")
        #expect(names?.count == 3)
        #expect(all.value(forKeyPath: "@count") as? Int == 3)
        #expect(all.value(forKeyPath: "@max.age") as? Int == 40)
        #expect(all.value(forKeyPath: "@avg.age") as? Double == 30)
        #expect(all.value(forKeyPath: "@sum.weight") as? Double == 140.5)
        #expect(all.value(forKeyPath: "@max.born") as? Date == all.max(of: \.born))
        try realm.write { all.filter("lastName == 'Berg'").setValue("Dal", forKey: "lastName") }
        #expect(all.map(\.lastName) == ["Dal", "Dal", "Aas"])
        try realm.write { all.setValue(nil, forKey: "weight") }
        #expect(all.allSatisfy { $0.weight == nil })
    }

    @Test("A loop visits the objects that existed at its start")
    func iteration() throws {
        try realm.write {
            var seen: [String] = []
            for citizen in all.filter("age < 1000") {
                seen.append(citizen.firstName)
                citizen.age = 1000
            }
            #expect(seen == ["Ann", "bob", "Cid"])
            #expect(all.filter("age < 1000").isEmpty)
            var count = 0
            for _ in all {
                realm.add(Citizen("More"))
                count += 1
            }
            #expect(count == 3)
            #expect(all.count == 6)
        }
    }

    @Test("A loop returns deleted objects as invalidated ones")
    func deletion() throws {
        try realm.write {
            var states: [Bool] = []
            for citizen in all {
                if states.isEmpty { realm.delete(all[2]) }
                states.append(citizen.isInvalidated)
            }
            #expect(states == [false, false, true])
        }
    }

    @Test("Results are equal if they have the same query")
    func equality() {
        #expect(all == all)
        #expect(all.filter("age > 3") == all.filter("age > 3"))
        #expect(all.filter("age > 3") != all.filter("age > 4"))
        #expect(all.sorted(by: \.age) != all)
    }

    @Test("The description of results lists their elements with positions")
    func description() {
        let text = all.filter("age == 20").description
        #expect(text.hasPrefix("Results<Citizen> (\n\t[0] Citizen {\n"))
        #expect(text.contains("firstName = bob;"))
        #expect(realm.objects(Hound.self).description == "Results<Hound> ()")
        // Objects that are their own friends.
        #expect(all.description.utf8.count < 100_000)
    }

    @Test("Frozen results do not change")
    func freezing() throws {
        let old = all.filter("age > 25")
        let frozen = old.freeze()
        #expect(frozen.isFrozen)
        #expect(frozen.freeze() == frozen)
        try realm.write { realm.delete(all[0]) }
        #expect(old.count == 1)
        #expect(frozen.count == 2)
        #expect(frozen.filter("age < 35").first?.firstName == "Ann")
        #expect(frozen.max(ofProperty: "age") as Int? == 40)
        let thawed = try #require(frozen.thaw())
        #expect(thawed.count == 1)
        #expect(old.thaw() == old)
    }

    @Test("Invalid queries stop the program")
    func mistakes() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self)[0]
        }.says("index 0 is out of bounds: there are 0 elements")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self)[-1]
        }.says("index -1 is out of bounds: there are 0 elements")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).filter("agee > 3")
        }.says("the query \"agee > 3\" is wrong: no property \"agee\" in class")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).filter("age >")
        }.says("the query \"age >\" is wrong: expected a condition or a value,")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).sorted(byKeyPath: "agee")
        }.says("sorting \"agee\" is wrong: no property \"agee\" in class Citizen")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).sorted(byKeyPath: "friends")
        }.says("sorting \"friends\" is wrong: SORT needs one value for each")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).sorted(byKeyPath: "spouse")
        }.says("sorting \"spouse\" is wrong: Citizen property \"spouse\" has no")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).sorted(by: \.shout)
        }.says("is not a persisted property of Citizen: computed properties and")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).distinct(by: ["agee"])
        }.says("distinct \"agee\" is wrong: no property \"agee\" in class Citizen")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).value(forKey: "agee")
        }.says("Citizen has no persisted property named agee: it has")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try citizenRealm().objects(Citizen.self).setValue(3, forKey: "age")
        }.says("cannot set age outside of a write transaction: do it in")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("Ann")) }
            try realm.write { realm.objects(Citizen.self).setValue("x", forKey: "age") }
        }.says("x is not a value for Citizen.age, which is Int")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).objects(at: [0])
        }.says("index 0 is out of bounds: there are 0 elements")
    }

    @Test("Invalid key paths stop the program")
    func keyPaths() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).value(forKeyPath: "@median.age")
        }.says("there is no operator @median: use @count, @min,")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("Ann")) }
            _ = realm.objects(Citizen.self).value(forKeyPath: "agee.x")
        }.says("Citizen has no persisted property named agee: it has")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = List<Int>().value(forKey: "age")
        }.says("the elements are values and have no property \"age\"")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            List<Int>().setValue(1, forKey: "age")
        }.says("the elements are values and have no property \"age\"")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("Ann")) }
            _ = realm.objects(Citizen.self)[0].marks.sorted(byKeyPath: "age")
        }.says("values can only be sorted by \"self\": use sorted(ascending:)")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("Ann")) }
            _ = realm.objects(Citizen.self)[0].marks.distinct(by: ["age"])
        }.says("values can only be distinct by \"self\": use distinct()")
    }
}
