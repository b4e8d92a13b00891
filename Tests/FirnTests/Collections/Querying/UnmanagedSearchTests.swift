import Firn
import Foundation
import Testing

@Suite("Searches of an unmanaged list")
struct UnmanagedSearchTests {
    private func people(_ secondHound: String = "Rex") -> List<Citizen> {
        let ann = Citizen("Ann", "Berg", age: 30)
        let bob = Citizen("Bob", age: 20)
        ann.spouse = bob
        bob.spouse = ann
        ann.home = Home(value: ["city": "Oslo", "planet": ["name": "Earth"]])
        // Two unmanaged objects can have the same key.
        ann.hounds.append(objectsIn: [Hound("Rex", age: 3), Hound(secondHound, age: 9)])
        bob.marks.append(objectsIn: [3, 5])
        let list = List<Citizen>()
        list.append(objectsIn: [ann, bob, ann])
        return list
    }

    @Test("A search follows the same rules as in a realm")
    func texts() {
        let people = people()
        #expect(people.index(matching: "age < 30") == 1)
        #expect(people.index(matching: "age == %@", 30) == 0)
        #expect(people.index(matching: "age > 30") == nil)
        #expect(people.index(matching: "firstName BEGINSWITH[c] 'b'") == 1)
        #expect(people.index(matching: "spouse.spouse.age == 20") == 1)
        #expect(people.index(matching: "spouse == %@", people[0]) == 1)
        #expect(people.index(matching: "home.planet.name == 'Earth'") == 0)
        #expect(people.index(matching: "ANY hounds.age == 9") == 0)
        #expect(people.index(matching: "hounds.@count == 0") == 1)
        #expect(people.index(matching: "ANY marks == 5") == 1)
        #expect(people.index(matching: "weight == nil SORT(age ASC)") == 1)
        #expect(List<Citizen>().index(matching: "age == 3") == nil)
    }

    @Test("A search also accepts conditions in code")
    func code() {
        let people = people()
        #expect(people.index(matching: { $0.age < 30 }) == 1)
        #expect(people.index(matching: { $0.hounds.age > 5 }) == 0)
        #expect(people.index(matching: { $0.age.in([1, 2]) }) == nil)
        #expect(people.index(matching: { $0.spouse == people[1] }) == 0)
    }

    @Test("A search leaves the objects unmanaged")
    func untouched() {
        let people = people()
        _ = people.index(matching: "age == 20")
        #expect(people.allSatisfy { $0.realm == nil && $0.spouse?.realm == nil })
        #expect(people[0].hounds.count == 2 && people[0].home?.city == "Oslo")
    }

    @Test("A search follows values of type Any")
    func values() {
        let (first, second) = (Ledger(), Ledger())
        first.anything = .fromDictionary(["a": .fromArray([.int(1), .object(Hound("Rex"))])])
        second.anything = .object(Hound("Fia", age: 4))
        second.scores["x"] = 2
        second.pets["one"] = Hound("Bo", age: 2)
        second.tags.insert("red")
        let ledgers = List<Ledger>()
        ledgers.append(objectsIn: [first, second])
        #expect(ledgers.index(matching: "anything['a'][0] == 1") == 0)
        #expect(ledgers.index(matching: "scores['x'] == 2") == 1)
        #expect(ledgers.index(matching: "pets['one'].age == 2") == 1)
        #expect(ledgers.index(matching: "ANY tags == 'red'") == 1)
        #expect(ledgers.index(matching: { $0.rank == nil }) == 0)
    }

    @Test("A search works for managed objects in an unmanaged list")
    func managed() throws {
        let realm = try citizenRealm { realm in
            realm.add(people("Fia"))
        }
        let list = List<Citizen>()
        list.append(objectsIn: realm.objects(Citizen.self))
        let bob = list.firstIndex { $0.age < 30 }
        #expect(bob != nil && list.index(matching: "age < 30") == bob)
        list.append(Citizen("Cid", age: 40))
        #expect(list.index(matching: "age == 40") == 2)
        #expect(list.index(matching: { $0.spouse.age == 20 }) != bob)
        #expect(list[0].realm == realm && list[2].realm == nil)
    }

    /// Both stopped the program.
    @Test(
        "index(matching:) in a list of values calls the value SELF, inside and outside a realm",
        .tags(.difference))
    func theValue() throws {
        let realm = try citizenRealm { realm in
            let bob = Citizen("Bob", age: 20)
            bob.marks.append(objectsIn: [3, 5, 5])
            realm.add(bob)
        }
        let managed = try #require(realm.objects(Citizen.self).first).marks
        let unmanaged = List<Int>()
        unmanaged.append(objectsIn: [3, 5, 5])
        for marks in [managed, unmanaged] {
            #expect(marks.index(matching: "SELF > 3") == 1)
            #expect(marks.index(matching: "self = %@", 3) == 0)
            #expect(marks.index(matching: "SELF IN %@", [7, 9]) == nil)
            #expect(marks.index(matching: { $0 > 3 && $0 < 6 }) == 1)
            #expect(marks.index(matching: { $0.in([8, 3]) }) == 0)
        }
        let names = List<String?>()
        #expect(names.index(matching: "SELF == nil") == nil)
        names.append(objectsIn: ["Ada", nil, "ben"])
        #expect(names.index(matching: "SELF == nil") == 1)
        #expect(names.index(matching: "SELF BEGINSWITH[c] 'B'") == 2)
        #expect(names.index(matching: { $0.contains("da") }) == 0)
        let anything = List<AnyRealmValue>()
        anything.append(objectsIn: [.string("a"), .int(3), .object(Citizen("Cid"))])
        #expect(anything.index(matching: "SELF == 3") == 1)
        let set = MutableSet<Double>()
        set.insert(objectsIn: [1.5, 2.5])
        #expect(set.index(matching: "SELF < 2") == set.firstIndex(of: 1.5))
    }

    @Test("A search in values that names a property stops the program")
    func properties() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = List<Int>().index(matching: "age == 3")
        }.says("the query \"age == 3\" is wrong: ")
    }

    @Test("A search accepts the object of a projection as an argument")
    func projections() throws {
        let people = people()
        let bob = CitizenProjection(projecting: people[1])
        #expect(people.index(matching: "spouse == %@", bob) == 0)
    }

    /// It ran until the stack was full.
    @Test("A list that contains itself stops the program")
    func endless() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let ledger = Ledger()
            let values = List<AnyRealmValue>()
            values.append(.list(values))
            ledger.anything = .list(values)
            let ledgers = List<Ledger>()
            ledgers.append(ledger)
            _ = ledgers.index(matching: "name == 'a'")
        }.says("lists and dictionaries are nested more than 100 levels deep")
    }

    @Test("A class that no realm accepts stops the program")
    func classes() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = List<LongNamed>().index(matching: "name == 'a'")
        }.says("searching a collection failed: ", "must have 1 to 255 bytes")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = List<Originless>().index(matching: "name == 'a'")
        }.says("Originless.owners must name the property that it is the inverse of")
    }

    @Test("An invalid condition or argument stops the program")
    func conditions() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = List<Citizen>().index(matching: "age == %@", Unstorable())
        }.says("Unstorable cannot be an argument of a query: give a value that a property")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let ann = Citizen("Ann")
            _ = List<Citizen>().index(matching: { $0 == ann })
        }.says("the object itself is compared: name one of its properties")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = List<Citizen>().index(matching: { ($0.age == 3) == true })
        }.says("a condition is compared with something: combine conditions")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = List<Citizen>().index(matching: { ($0.age > 3).count > 0 })
        }.says("count needs a condition on the elements of a collection")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = List<Citizen>().index(matching: {
                (($0.hounds.age > 3).count > 1 && $0.hounds.age > 3).count > 2
            })
        }.says("the count of a condition inside of another one")
    }

    @Test("A search with an invalid query string stops the program")
    func misuse() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = List<Citizen>().index(matching: "agee == 3")
        }.says("the query \"agee == 3\" is wrong: no property \"agee\" in class")
    }
}

/// Does not declare the origin of its inverse, so no realm would accept it.
private class Originless: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    @Persisted var name = ""
    @Persisted var owners: LinkingObjects<Citizen>
}

private class LongNamed: Object {
    override class func className() -> String { String(repeating: "a", count: 256) }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    @Persisted var name = ""
}

/// A type that cannot be stored.
private struct Unstorable {}
