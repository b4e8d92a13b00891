import Firn
import Foundation
import Testing

@Suite("Aggregates over all elements")
struct AggregatesTests {
    private let realm: Realm
    private let ann: Citizen

    init() throws {
        let ann = Citizen("Ann", age: 30)
        realm = try citizenRealm { realm in
            ann.weight = 60.5
            ann.born = Date(timeIntervalSince1970: 500)
            for mark in [3, 5, 3, 1] { ann.marks.append(mark) }
            for temperature in [1.5, nil, -3] { ann.temperatures.append(temperature) }
            for review in ["b", "a", "b"] { ann.reviews.append(review) }
            let cid = Citizen("Cid", age: 41)
            cid.weight = 80
            realm.add([ann, Citizen("Bob", age: 20), cid])
            cid.spouse = ann
            realm.add([Hound("Rex", age: 3, weight: 2.5), Hound("Fia", age: 4)])
        }
        self.ann = ann
    }

    private var all: Results<Citizen> { realm.objects(Citizen.self) }

    @Test("Aggregates are found by the name of a property")
    func names() {
        #expect(all.min(ofProperty: "age") as Int? == 20)
        #expect(all.max(ofProperty: "age") as Int? == 41)
        #expect(all.sum(ofProperty: "age") as Int == 91)
        #expect(all.average(ofProperty: "age") as Double? == 91.0 / 3)
        #expect(all.average(ofProperty: "age") as Int? == 30)
        #expect(all.min(ofProperty: "weight") as Double? == 60.5)
        #expect(all.sum(ofProperty: "weight") as Double == 140.5)
        #expect(all.average(ofProperty: "weight") as Double? == 70.25)
        #expect(all.max(ofProperty: "born") as Date? == Date(timeIntervalSince1970: 500))
        #expect(all.sum(ofProperty: "spouse.age") as Int == 30)
        #expect(all.sum(ofProperty: "age") as Double == 91)
    }

    @Test("Aggregates are found by key path")
    func keyPaths() {
        #expect(all.min(of: \.age) == 20)
        #expect(all.max(of: \.age) == 41)
        #expect(all.sum(of: \.age) == 91)
        #expect(all.average(of: \.age) == 30)
        #expect(all.max(of: \.weight) == 80)
        #expect(all.sum(of: \.weight) == 140.5)
        #expect(all.max(of: \.born) == Date(timeIntervalSince1970: 500))
        #expect(realm.objects(Hound.self).sum(of: \.weight) == 2.5)
        #expect(realm.objects(Hound.self).average(of: \.weight) == 2.5)
    }

    @Test("Aggregates cover filtered objects, lists and empty results")
    func sources() throws {
        #expect(all.filter("age > 25").sum(of: \.age) == 71)
        #expect(all.sorted(by: \.age).filter("age > 25").min(of: \.age) == 30)
        let none = all.filter("age > 1000")
        #expect(none.min(of: \.age) == nil)
        #expect(none.max(of: \.age) == nil)
        #expect(none.sum(of: \.age) == 0)
        #expect(none.average(of: \.age) == nil)
        try realm.write {
            ann.friends.append(all[1])
            ann.friends.append(all[1])
            #expect(ann.friends.sum(of: \.age) == 40)
        }
        #expect(ann.friends.sum(of: \.age) == 40)
        let known = all.filter("age > 25")
        #expect(known.count == 2)
        #expect(known.sum(of: \.age) == 71)
    }

    @Test("An object counts as often as a list contains it")
    func repeated() throws {
        try realm.write {
            for index in [2, 0, 2, 1, 2] { ann.friends.append(all[index]) }
        }
        #expect(ann.friends.sum(of: \.age) == 3 * 41 + 30 + 20)
        #expect(ann.friends.average(ofProperty: "age") as Double? == 173.0 / 5)
        #expect(ann.friends.sum(of: \.weight) == 300.5)
        #expect(ann.friends.average(of: \.weight) == 300.5 / 4)
        #expect(ann.friends.min(of: \.age) == 20)
        #expect(ann.friends.max(of: \.weight) == 80)
        #expect(ann.friends.sum(ofProperty: "spouse.age") as Int == 90)
        #expect(ann.friends.filter("age > 25").sum(of: \.age) == 153)
        #expect(ann.friends.sectioned(by: \.age).map(\.count) == [1, 1, 3])
        #expect(ann.friends.sorted(by: \.age).map(\.age) == [20, 30, 41, 41, 41])
    }

    @Test("Collections of values have aggregates")
    func values() {
        #expect(ann.marks.min() == 1)
        #expect(ann.marks.max() == 5)
        #expect(ann.marks.sum() == 12)
        #expect(ann.marks.average() as Double? == 3)
        #expect(ann.temperatures.min() == -3)
        #expect(ann.temperatures.max() == 1.5)
        #expect(ann.temperatures.sum() == -1.5)
        #expect(ann.temperatures.average() as Double? == -0.75)
        #expect(all[1].marks.min() == nil)
        #expect(all[1].marks.max() == nil)
        #expect(all[1].marks.sum() == 0)
        #expect(all[1].marks.average() as Double? == nil)
    }

    @Test("The sum of an empty unmanaged collection of Any is an integer")
    func anything() {
        #expect(List<AnyRealmValue>().sum() == .int(0))
        #expect(MutableSet<AnyRealmValue>().sum() == .int(0))
        #expect(Map<String, AnyRealmValue>().sum() == .int(0))
        #expect(List<Double>().sum() == 0)
        #expect(List<Decimal128?>().sum() == 0)
    }

    @Test("Unmanaged lists have the same aggregates")
    func unmanaged() {
        let citizen = Citizen("Eva")
        citizen.friends.append(Citizen("A", age: 3))
        citizen.friends.append(Citizen("B", age: 4))
        citizen.marks.append(7)
        #expect(citizen.friends.sum(of: \.age) == 7)
        #expect(citizen.friends.max(of: \.age) == 4)
        #expect(citizen.friends.average(ofProperty: "age") as Double? == 3.5)
        #expect(citizen.friends.sum(of: \.weight) == 0)
        #expect(citizen.marks.sum() == 7)
    }

    /// They were requested as doubles, which stopped the program.
    @Test("An aggregate by key path alone has the type of the property")
    func valuesAtKeyPaths() throws {
        let realm = try makeRealm([Household.self])
        try realm.write {
            for (name, limit) in [("Berg", "1.5"), ("Dal", "0.1")] {
                let date = Date(timeIntervalSince1970: name == "Dal" ? 9 : 5)
                realm.create(
                    Household.self,
                    value: [
                        "name": name, "limit": Decimal128(string: limit), "founded": date,
                        "anything": AnyRealmValue.string(name),
                    ])
            }
        }
        let households = realm.objects(Household.self)
        func value(_ path: String) -> Any? { households.value(forKeyPath: path) }
        #expect(value("@sum.limit") as? Decimal128 == Decimal128(string: "1.6"))
        #expect(value("@avg.limit") as? Decimal128 == Decimal128(string: "0.8"))
        #expect(value("@min.limit") as? Decimal128 == Decimal128(string: "0.1"))
        #expect(value("@max.limit") as? Decimal128 == Decimal128(string: "1.5"))
        #expect(value("@min.founded") as? Date == Date(timeIntervalSince1970: 5))
        #expect(value("@max.founded") as? Date == Date(timeIntervalSince1970: 9))
        #expect(value("@max.anything") as? AnyRealmValue == .string("Dal"))
        #expect(value("@min.size") as? Int == 0 && value("@sum.income") as? Double == 0)
    }

    @Test("Sorted and distinct collections of values follow the list")
    func valueResults() throws {
        let sorted = ann.marks.sorted(ascending: true)
        let distinct = ann.marks.distinct()
        #expect(Array(sorted) == [1, 3, 3, 5])
        #expect(Array(distinct) == [3, 5, 1])
        #expect(Array(ann.marks.distinct().sorted(ascending: false)) == [5, 3, 1])
        #expect(Array(ann.temperatures.sorted(byKeyPath: "self")) == [nil, -3, 1.5])
        #expect(Array(ann.temperatures.sorted(ascending: false)) == [1.5, -3, nil])
        #expect(Array(ann.reviews.distinct(by: ["self"])) == ["b", "a"])
        try realm.write { ann.marks.append(0) }
        #expect(Array(sorted) == [0, 1, 3, 3, 5])
        #expect(sorted.first == 0)
        #expect(sorted.index(of: 5) == 4)
        #expect(sorted.sum() == 12)
    }

    @Test("Invalid aggregates stop the program")
    func mistakes() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).sum(ofProperty: "agee") as Int
        }.says("@sum \"agee\" is wrong: no property \"agee\" in class Citizen")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).sum(ofProperty: "firstName") as Int
        }.says("@sum \"firstName\" is wrong: @sum needs a number, not String")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).min(ofProperty: "friends") as Int?
        }.says("@min \"friends\" is wrong: @min needs one value for each")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm {
                $0.add([Citizen("A", age: 100), Citizen("B", age: 99)])
            }
            _ = realm.objects(Citizen.self).sum(ofProperty: "age") as Int8
        }.says("the result is out of the range of Int8: ask for a wider type")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("A")) }
            _ = realm.objects(Citizen.self)[0].marks.sum(ofProperty: "age") as Int
        }.says("Citizen.marks has values and not objects: they have no \"age\"")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("A")) }
            _ = realm.objects(Citizen.self)[0].marks.filter("self > 3")
        }.says("filter is for collections of objects: Citizen.marks has")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("A")) }
            let _: Int = realm.objects(Citizen.self)[0].reviews.sum(ofProperty: "self")
        }.says("@sum needs a number, not String")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Citizen("A").friends.filter("age > 3")
        }.says("filter needs a collection that is in a realm: add the object")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Citizen("A").friends.sorted(by: \.age)
        }.says("sorting needs a collection that is in a realm: add the object")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Citizen("A").marks.distinct()
        }.says("distinct needs a collection that is in a realm: add the")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Citizen("A").friends.where { $0.age > 3 }
        }.says("where needs a collection that is in a realm: add the object")
    }

    @Test("Aggregates of unmanaged collections ignore objects in values of type Any")
    func unmanagedLinks() {
        let values = List<AnyRealmValue>()
        values.append(objectsIn: [.int(3), .object(Hound("Rex")), .string("b"), .int(7)])
        #expect(values.min() == .int(3) && values.max() == .string("b"))
        let ledgers = List<Ledger>()
        for value in [AnyRealmValue.string("a"), .int(4), .object(Hound("Fia"))] {
            let ledger = Ledger()
            ledger.anything = value
            ledgers.append(ledger)
        }
        #expect(ledgers.min(ofProperty: "anything") == AnyRealmValue.int(4))
        #expect(ledgers.max(ofProperty: "anything") == AnyRealmValue.string("a"))
        #expect(ledgers.sum(ofProperty: "anything") as Int == 4)
    }

    @Test("Invalid aggregates of unmanaged collections stop the program")
    func unmanagedMistakes() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let marks = List<Int>()
            marks.append(1)
            _ = marks.max(ofProperty: "age") as Int?
        }.says("a collection of Int has values and not objects: they have no \"age\"")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let citizen = Citizen("A")
            citizen.friends.append(Citizen("B"))
            _ = citizen.friends.max(ofProperty: "agee") as Int?
        }.says("Citizen has no persisted property named agee: it has firstName")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let citizen = Citizen("A")
            citizen.friends.append(Citizen("B"))
            _ = citizen.friends.average(ofProperty: "firstName") as Double?
        }.says("@avg needs a number, not String")
    }
}
