import Firn
import Foundation
import Testing

@Suite("Conditions in code")
struct QueryTests {
    private let realm: Realm

    init() throws {
        realm = try citizenRealm { realm in
            let ann = Citizen("Ann", "Berg", age: 30)
            ann.weight = 60.5
            ann.born = Date(timeIntervalSince1970: 1000)
            ann.isMarried = true
            let home = Home()
            home.city = "Oslo"
            let planet = Planet()
            planet.name = "Earth"
            home.planet = planet
            ann.home = home
            let bob = Citizen("Bob", "Åberg", age: 20)
            let cid = Citizen("Cid", "Cid", age: 40)
            cid.weight = 80
            let rex = Hound("Rex", age: 3, weight: 2.5)
            let fia = Hound("Fia", age: 9)
            ann.hounds.append(rex)
            ann.hounds.append(fia)
            cid.hounds.append(fia)
            for mark in [3, 5, 7] { ann.marks.append(mark) }
            for mark in [1, 9] { cid.marks.append(mark) }
            for review in ["good", "Bad"] { ann.reviews.append(review) }
            ann.temperatures.append(1.5)
            ann.temperatures.append(nil)
            realm.add([ann, bob, cid])
            cid.spouse = ann
        }
    }

    private func names(_ condition: (Query<Citizen>) -> Query<Bool>) -> [String] {
        realm.objects(Citizen.self).where(condition).map(\.firstName)
    }

    /// The rule of the reference: nil is neither less nor greater than anything, and equal to nil.
    @Test("Order comparisons with nil match only nil, and only if they include equality")
    func nothing() {
        #expect(names { $0.weight > nil } == [])
        #expect(names { $0.weight < nil } == [])
        #expect(names { $0.weight >= nil } == ["Bob"])
        #expect(names { $0.weight <= nil } == ["Bob"])
        #expect(names { $0.home.planet.name > nil } == [])
        #expect(names { $0.home.planet.name < nil } == [])
        #expect(names { $0.home.planet.name >= nil } == ["Bob", "Cid"])
        #expect(names { $0.home.planet.name <= nil } == ["Bob", "Cid"])
        #expect(realm.objects(Citizen.self).filter("home.planet.name > nil").isEmpty)
    }

    @Test("A condition compares properties with values")
    func values() {
        #expect(names { $0.age == 30 } == ["Ann"])
        #expect(names { $0.age != 30 } == ["Bob", "Cid"])
        #expect(names { $0.age < 30 } == ["Bob"])
        #expect(names { $0.age <= 30 } == ["Ann", "Bob"])
        #expect(names { $0.age > 30 } == ["Cid"])
        #expect(names { $0.age >= 30 } == ["Ann", "Cid"])
        #expect(names { $0.weight == nil } == ["Bob"])
        #expect(names { $0.weight != nil } == ["Ann", "Cid"])
        #expect(names { $0.weight > 70 } == ["Cid"])
        #expect(names { $0.firstName == "Ann" } == ["Ann"])
        #expect(names { $0.firstName > "Ann" } == ["Bob", "Cid"])
        #expect(names { $0.born == Date(timeIntervalSince1970: 1000) } == ["Ann"])
        #expect(names { $0.born > Date(timeIntervalSince1970: 0) } == ["Ann"])
        #expect(names { $0.age.in([20, 40, 50]) } == ["Bob", "Cid"])
        #expect(names { $0.weight.in([nil, 80]) } == ["Bob", "Cid"])
        #expect(names { $0.age.in([]) } == [])
    }

    @Test("A condition compares strings with special characters")
    func quoting() throws {
        let wild = "a' OR \"x\" == \\ %@ $0 {1} \u{0}\n"
        try realm.write { realm.add(Citizen(wild)) }
        #expect(names { $0.firstName == wild } == [wild])
        #expect(names { $0.firstName.contains("' OR \"") } == [wild])
    }

    @Test("Conditions can be combined")
    func logic() {
        #expect(names { $0.age > 20 && $0.age < 40 } == ["Ann"])
        #expect(names { $0.age < 30 || $0.age > 30 } == ["Bob", "Cid"])
        #expect(names { !($0.age == 30) } == ["Bob", "Cid"])
        #expect(names { $0.isMarried } == ["Ann"])
        #expect(names { !$0.isMarried } == ["Bob", "Cid"])
        #expect(names { $0.isMarried == true && $0.age > 3 } == ["Ann"])
    }

    @Test("A condition tests ranges")
    func ranges() {
        #expect(names { $0.age.contains(20...30) } == ["Ann", "Bob"])
        #expect(names { $0.age.contains(20..<30) } == ["Bob"])
        #expect(names { $0.weight.contains(60...80) } == ["Ann", "Cid"])
        #expect(names { $0.weight.contains(60..<80) } == ["Ann"])
        #expect(names { $0.firstName.contains("Ann"..."Bob") } == ["Ann", "Bob"])
        #expect(names { $0.firstName.contains("Ann"..<"Bob") } == ["Ann"])
        #expect(
            names {
                $0.born.contains(
                    Date(timeIntervalSince1970: 1)...Date(timeIntervalSince1970: 2000))
            } == ["Ann"])
    }

    @Test("A condition compares properties with each other")
    func columns() {
        #expect(names { $0.firstName == $0.lastName } == ["Cid"])
        #expect(names { $0.firstName != $0.lastName } == ["Ann", "Bob"])
        #expect(names { $0.firstName < $0.lastName } == ["Ann", "Bob"])
        #expect(names { $0.spouse.age < $0.age } == ["Cid"])
    }

    @Test("A condition follows links and embedded objects")
    func links() throws {
        let ann = try #require(realm.objects(Citizen.self).first)
        #expect(names { $0.spouse == ann } == ["Cid"])
        #expect(names { $0.spouse == nil } == ["Ann", "Bob"])
        #expect(names { $0.spouse != nil } == ["Cid"])
        #expect(names { $0.spouse.firstName == "Ann" } == ["Cid"])
        #expect(names { $0.home.city == "Oslo" } == ["Ann"])
        #expect(names { $0.home.planet.name == "Earth" } == ["Ann"])
        #expect(names { $0.home == nil } == ["Bob", "Cid"])
        #expect(names { $0.spouse.home.city.starts(with: "Os") } == ["Cid"])
    }

    @Test("A condition compares strings")
    func texts() {
        #expect(names { $0.lastName.contains("erg") } == ["Ann", "Bob"])
        #expect(
            names { $0.lastName.contains("BERG", options: .caseInsensitive) } == ["Ann", "Bob"])
        #expect(names { $0.lastName.starts(with: "B") } == ["Ann"])
        #expect(
            names {
                $0.lastName.starts(with: "ab", options: [.caseInsensitive, .diacriticInsensitive])
            } == ["Bob"])
        #expect(names { $0.lastName.ends(with: "g") } == ["Ann", "Bob"])
        #expect(names { $0.lastName.equals("CID", options: .caseInsensitive) } == ["Cid"])
        #expect(
            names { $0.lastName.notEquals("CID", options: .caseInsensitive) } == ["Ann", "Bob"])
        #expect(names { $0.lastName.like("?erg") } == ["Ann"])
        #expect(names { $0.lastName.like("*BERG", caseInsensitive: true) } == ["Ann", "Bob"])
        #expect(names { $0.lastName.contains($0.firstName) } == ["Cid"])
        #expect(names { $0.lastName.starts(with: $0.firstName) } == ["Cid"])
        #expect(names { $0.lastName.ends(with: $0.firstName) } == ["Cid"])
        #expect(names { $0.lastName.equals($0.firstName) } == ["Cid"])
        #expect(names { $0.lastName.notEquals($0.firstName) } == ["Ann", "Bob"])
        #expect(names { $0.lastName.like($0.firstName) } == ["Cid"])
        #expect(names { $0.home.planet.name.contains("art") } == ["Ann"])
    }

    @Test("A condition tests the elements of collections")
    func collections() throws {
        let rex = try #require(realm.object(ofType: Hound.self, forPrimaryKey: "Rex"))
        let fia = try #require(realm.object(ofType: Hound.self, forPrimaryKey: "Fia"))
        #expect(names { $0.hounds.name == "Fia" } == ["Ann", "Cid"])
        #expect(names { $0.hounds.age < 5 } == ["Ann"])
        #expect(names { $0.hounds.count == 2 } == ["Ann"])
        #expect(names { $0.hounds.count == 0 } == ["Bob"])
        #expect(names { $0.hounds.contains(rex) } == ["Ann"])
        #expect(names { $0.hounds.containsAny(in: [rex, fia]) } == ["Ann", "Cid"])
        #expect(names { $0.hounds.age.contains(4..<9) } == [])
        #expect(names { $0.hounds.age.contains(4...9) } == ["Ann", "Cid"])
        #expect(names { $0.hounds.name.contains("G"..<"Rf") } == ["Ann"])
        #expect(names { $0.hounds.age.max > 5 } == ["Ann", "Cid"])
        #expect(names { $0.hounds.age.min > 5 } == ["Cid"])
        #expect(names { $0.hounds.age.sum == 12 } == ["Ann"])
        #expect(names { $0.hounds.age.avg == 6 } == ["Ann"])
        #expect(names { $0.hounds.weight.max > 2 } == ["Ann"])
        let owners = realm.objects(Hound.self).where { $0.owners.firstName == "Cid" }
        #expect(owners.map(\.name) == ["Fia"])
        #expect(realm.objects(Hound.self).where { $0.owners.count == 2 }.map(\.name) == ["Fia"])
    }

    @Test("A condition tests the values of collections and their aggregates")
    func valueCollections() {
        #expect(names { $0.marks == 5 } == ["Ann"])
        #expect(names { $0.marks != 5 } == ["Ann", "Cid"])
        #expect(names { $0.marks > 8 } == ["Cid"])
        #expect(names { $0.marks >= 9 } == ["Cid"])
        #expect(names { $0.marks < 3 } == ["Cid"])
        #expect(names { $0.marks <= 3 } == ["Ann", "Cid"])
        #expect(names { $0.marks.contains(9) } == ["Cid"])
        #expect(names { $0.marks.containsAny(in: [7, 9]) } == ["Ann", "Cid"])
        #expect(names { $0.marks.count == 3 } == ["Ann"])
        #expect(names { $0.marks.sum == 15 } == ["Ann"])
        #expect(names { $0.marks.avg == 5 } == ["Ann", "Cid"])
        #expect(names { $0.marks.min == 1 } == ["Cid"])
        #expect(names { $0.marks.max == 7 } == ["Ann"])
        #expect(names { $0.marks.contains(3...7) } == ["Ann"])
        #expect(names { $0.marks.contains(3..<7) } == [])
        #expect(names { $0.reviews == "good" } == ["Ann"])
        #expect(names { $0.temperatures == nil } == ["Ann"])
        #expect(names { $0.temperatures.max == 1.5 } == ["Ann"])
    }

    @Test("A condition counts the elements that satisfy another condition")
    func subqueries() {
        #expect(
            names { ($0.hounds.age > 2 && $0.hounds.name == "Fia").count > 0 } == ["Ann", "Cid"])
        #expect(names { ($0.hounds.age > 2).count == 2 } == ["Ann"])
        #expect(names { ($0.hounds.age < 5 && $0.hounds.name == "Fia").count == 0 }.count == 3)
        #expect(names { ($0.hounds.age > 2).count == 1 && $0.age == 40 } == ["Cid"])
        #expect(names { !(($0.hounds.age > 2).count > 0) } == ["Bob"])
    }

    /// It said that this version cannot run it.
    @Test("A counted condition may compare elements with properties of their owner")
    func outerValues() throws {
        let all = realm.objects(Citizen.self)
        func matching(_ count: Int, _ passes: (Citizen, Hound) -> Bool) -> [String] {
            all.filter { citizen in citizen.hounds.filter { passes(citizen, $0) }.count == count }
                .map(\.firstName)
        }
        for count in 0...2 {
            #expect(
                names { ($0.hounds.age < $0.age).count == count }
                    == matching(count) { $1.age < $0.age })
            #expect(
                names { ($0.hounds.name == $0.lastName || $0.hounds.age == 8).count == count }
                    == matching(count) { $1.name == $0.lastName || $1.age == 8 })
        }
        let ann = try #require(all.first)
        try realm.write { ann.lastName = "Rex" }
        #expect(names { ($0.hounds.name == $0.lastName).count == 1 } == ["Ann"])
        #expect(
            all.filter("SUBQUERY(hounds, $h, $h.name == lastName AND $h.age < age).@count == 1")
                .map(\.firstName) == ["Ann"])
    }

    @Test("A condition may name the underlying class of a projection")
    func projections() {
        let projections = realm.objects(CitizenProjection.self)
        #expect(projections.where { $0.lastName == "Berg" }.map(\.firstName) == ["Ann"])
        #expect(projections.where { $0.firstName == "Cid" }.map(\.lastNameCaps) == ["CID"])
        #expect(projections.where { $0.home.city == "Oslo" }.map(\.homeCity) == ["Oslo"])
    }

    @Test("A condition works on lists")
    func lists() throws {
        let ann = try #require(realm.objects(Citizen.self).first)
        #expect(ann.hounds.where { $0.age > 5 }.map(\.name) == ["Fia"])
    }

    @Test("Invalid conditions stop the program")
    func mistakes() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).where { $0.fullName == "x" }
        }.says("is not a persisted property of Citizen: computed properties and")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).where { $0.unstored == "x" }
        }.says("is not a persisted property of Citizen: computed properties and")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).where { ($0.age > 3).count > 0 }
        }.says("count needs a condition on the elements of a collection")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).where { $0.age.min > 3 }
        }.says("the query is wrong: @min needs a collection, not Int property")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).where { ($0.age == 3) == true }
        }.says("a condition is compared with something: combine conditions")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let foreign = try citizenRealm { $0.add(Citizen("Foreign")) }
            let other = foreign.objects(Citizen.self)[0]
            _ = try citizenRealm().objects(Citizen.self).where { $0.spouse == other }
        }.says("an argument of a query is an object of another realm: add it")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).where {
                (($0.hounds.age > 3).count > 1 && $0.hounds.age > 3).count > 2
            }
        }.says("the count of a condition inside of another one")
    }
}
