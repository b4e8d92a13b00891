import Firn
import Foundation
import Testing

@Suite("Values by key paths")
struct KeyPathValueTests {
    private let realm: Realm
    private let ann: Citizen
    private let all: Results<Citizen>

    init() throws {
        realm = try citizenRealm { realm in
            let ann = Citizen("Ann", "Berg", age: 30)
            ann.hounds.append(objectsIn: [Hound("Rex", age: 3), Hound("Fia", age: 9)])
            ann.marks.append(objectsIn: [3, 5, 3])
            let bob = Citizen("Bob", "Berg", age: 20)
            bob.spouse = ann
            bob.marks.append(3)
            bob.home = Home(value: ["city": "Oslo"])
            realm.add([ann, bob])
        }
        all = realm.objects(Citizen.self)
        ann = all[0]
    }

    @Test("An object returns values by its key paths")
    func objects() throws {
        #expect(ann.value(forKey: "firstName") as? String == "Ann")
        #expect(ann.value(forKey: "spouse") == nil)
        #expect(all[1].value(forKeyPath: "spouse.firstName") as? String == "Ann")
        #expect(all[1].value(forKeyPath: "home.city") as? String == "Oslo")
        #expect(ann.value(forKeyPath: "home.city") == nil)
        #expect(ann.value(forKeyPath: "hounds.name") as? [String] == ["Rex", "Fia"])
        #expect(ann.value(forKeyPath: "hounds.@count") as? Int == 2)
        #expect(ann.value(forKeyPath: "hounds.@max.age") as? Int == 9)
        #expect(ann.value(forKeyPath: "marks.@sum.self") as? Int == 11)
        #expect(
            ann.dictionaryWithValues(forKeys: ["firstName", "weight"]) as? [String: String]
                == ["firstName": "Ann"])
    }

    @Test("Values are set by key paths")
    func setting() throws {
        try realm.write {
            ann.setValue("Anna", forKey: "firstName")
            all[1].setValue("Alm", forKeyPath: "spouse.lastName")
            ann.setValue(1, forKeyPath: "hounds.age")
            ann.setValue("x", forKeyPath: "spouse.lastName")
            all[1].setValuesForKeys(["age": 21, "lastName": "Dal"])
        }
        #expect(ann.fullName == "Anna Alm")
        #expect(ann.hounds.map(\.age) == [1, 1])
        #expect(all[1].age == 21)
        #expect(all[1].lastName == "Dal")
        let unmanaged = Citizen()
        unmanaged.setValue("Cid", forKey: "firstName")
        #expect(unmanaged.value(forKey: "firstName") as? String == "Cid")
    }

    @Test("Unions join the values of all elements")
    func unions() {
        #expect(all.value(forKeyPath: "@unionOfObjects.lastName") as? [String] == ["Berg", "Berg"])
        #expect(all.value(forKeyPath: "@distinctUnionOfObjects.lastName") as? [String] == ["Berg"])
        #expect(all.value(forKeyPath: "@unionOfObjects.spouse.firstName") as? [String] == ["Ann"])
        #expect(all.value(forKeyPath: "@unionOfArrays.marks") as? [Int] == [3, 5, 3, 3])
        #expect(all.value(forKeyPath: "@distinctUnionOfArrays.marks") as? [Int] == [3, 5])
        #expect(all.value(forKeyPath: "@unionOfArrays.hounds.name") as? [String] == ["Rex", "Fia"])
        #expect((all.value(forKeyPath: "@unionOfArrays.hounds") as? [Hound])?.count == 2)
        #expect(ann.value(forKeyPath: "marks.@distinctUnionOfObjects.self") as? [Int] == [3, 5])
    }

    @Test("Distinct unions keep strings that differ only in how a letter is composed")
    func composedLetters() {
        let owner = Citizen()
        for name in ["caf\u{e9}", "cafe\u{301}", "caf\u{e9}"] {
            let hound = Hound()
            hound.name = name
            owner.hounds.append(hound)
        }
        let names = owner.value(forKeyPath: "hounds.@distinctUnionOfObjects.name") as? [String]
        #expect(names?.map { $0.utf8.count } == [5, 6])
    }

    @Test("A map returns its keys and values by operators")
    func maps() throws {
        let ledger = try #require(try ledgerRealm().objects(Ledger.self).first)
        #expect((ledger.value(forKeyPath: "scores.@allKeys") as? [String])?.sorted() == ["x", "y"])
        #expect((ledger.value(forKeyPath: "scores.@allValues") as? [Int])?.sorted() == [3, 5])
        #expect(ledger.scores.value(forKeyPath: "@count") as? Int == 2)
        #expect(ledger.scores.value(forKeyPath: "@max.self") as? Int == 5)
        #expect(ledger.scores.value(forKeyPath: "x") as? Int == 3)
        #expect(ledger.pets.value(forKeyPath: "first.name") as? String == "Rex")
        let names = ledger.pets.value(forKeyPath: "@allValues.name") as? [String]
        #expect(names?.sorted() == ["Fia", "Rex"])
        #expect(ledger.pets.value(forKeyPath: "@sum.age") as? Int == 12)
    }

    @Test("A list and a set return values as Foundation objects")
    func foundationObjects() throws {
        let names: [AnyObject] = ann.hounds.value(forKey: "name")
        #expect(names.map { ($0 as? NSString) as String? } == ["Rex", "Fia"])
        let hounds: [AnyObject] = ann.hounds.value(forKey: "self")
        #expect((hounds.first as? Hound)?.name == "Rex")
        let ledger = try #require(try ledgerRealm().objects(Ledger.self).first)
        let ages: [AnyObject] = ledger.pack.value(forKey: "age")
        #expect(ages.count == 2)
    }

    @Test("An unknown operator or property stops the program")
    func mistakes() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm { $0.add(Citizen("Ann")) }.objects(Citizen.self)
                .value(forKeyPath: "@unionOfThings.age")
        }.says("there is no operator @unionOfThings: use @count")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Citizen("Ann").value(forKeyPath: "firstName.x")
        }.says("a String has no \"x\": only objects and collections have keys")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm { $0.add(Citizen("Ann")) }.objects(Citizen.self)
                .value(forKeyPath: "@unionOfArrays.age")
        }.says("0 is not a collection: use @unionOfObjects")
    }

    @Test("Aggregates of a property are Foundation numbers and dates")
    func foundationNumbers() throws {
        #expect(all.min(ofProperty: "age") as NSNumber? == 20)
        #expect(all.max(ofProperty: "age") as NSNumber? == 30)
        #expect(all.sum(ofProperty: "age") as NSNumber == 50)
        #expect(all.average(ofProperty: "age") as NSNumber? == 25)
        #expect(all.max(ofProperty: "weight") as NSNumber? == nil)
        #expect(all.sum(ofProperty: "weight") as NSNumber == 0)
        let start = NSDate(timeIntervalSince1970: 0)
        #expect(all.min(ofProperty: "born") as NSDate? == start)
        #expect(all.max(ofProperty: "born") as NSDate? == start)
        let ledgers = try ledgerRealm().objects(Ledger.self)
        #expect(ledgers.sum(ofProperty: "limit") as NSNumber == NSDecimalNumber(string: "12.5"))
        let pets = try #require(ledgers.first).pets
        #expect(pets.max(ofProperty: "age") as NSNumber? == 9)
        #expect(pets.sum(ofProperty: "age") as NSNumber == 12)
    }
}
