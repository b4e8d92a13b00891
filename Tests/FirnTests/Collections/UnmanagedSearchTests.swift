import Firn
import Foundation
import Testing

@Suite("Finding the first object of an unmanaged list")
struct UnmanagedSearchTests {
    private func people(_ secondHound: String = "Rex") -> List<Citizen> {
        let ann = Citizen("Ann", "Berg", age: 30)
        let bob = Citizen("Bob", age: 20)
        ann.spouse = bob
        bob.spouse = ann
        ann.home = Home(value: ["city": "Oslo", "planet": ["name": "Earth"]])
        // Two objects with one key can be unmanaged.
        ann.hounds.append(objectsIn: [Hound("Rex", age: 3), Hound(secondHound, age: 9)])
        bob.marks.append(objectsIn: [3, 5])
        let list = List<Citizen>()
        list.append(objectsIn: [ann, bob, ann])
        return list
    }

    @Test("has the rules of a realm")
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

    @Test("takes conditions in code, too")
    func code() {
        let people = people()
        #expect(people.index(matching: { $0.age < 30 }) == 1)
        #expect(people.index(matching: { $0.hounds.age > 5 }) == 0)
        #expect(people.index(matching: { $0.age.in([1, 2]) }) == nil)
        #expect(people.index(matching: { $0.spouse == people[1] }) == 0)
    }

    @Test("leaves the objects unmanaged")
    func untouched() {
        let people = people()
        _ = people.index(matching: "age == 20")
        #expect(people.allSatisfy { $0.realm == nil && $0.spouse?.realm == nil })
        #expect(people[0].hounds.count == 2 && people[0].home?.city == "Oslo")
    }

    @Test("goes through values of any type")
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

    @Test("works for objects of a realm in an unmanaged list")
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

    @Test("stops the program for a wrong text, and for values")
    func misuse() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = List<Citizen>().index(matching: "agee == 3")
        }.says("the query \"agee == 3\" is wrong: no property \"agee\" in class")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = List<Int>().index(matching: "self == 3")
        }.says("index(matching:) is for collections of objects: search values")
    }
}
