import Firn
import Foundation
import Testing

@Suite("Projections")
struct ProjectionTests {
    private let realm: Realm
    private let ann: Citizen

    init() throws {
        let ann = Citizen("Ann", "Berg", age: 30)
        realm = try citizenRealm { realm in
            let home = Home()
            home.city = "Oslo"
            ann.home = home
            for city in ["Rome", "Bonn"] {
                let home = Home()
                home.city = city
                ann.homes.append(home)
            }
            ann.friends.append(Citizen("Bob", "Aas", age: 20))
            ann.friends.append(Citizen("Cid", "Dal", age: 40))
            realm.add(ann)
        }
        self.ann = ann
    }

    @Test("A projection shows parts of its object")
    func reading() {
        let projection = CitizenProjection(projecting: ann)
        #expect(projection.firstName == "Ann")
        #expect(projection.lastNameCaps == "BERG")
        #expect(projection.homeCity == "Oslo")
        #expect(Array(projection.friendsFirstName) == ["Bob", "Cid"])
        #expect(Array(projection.cities) == ["Rome", "Bonn"])
        #expect(projection.rootObject === ann)
        #expect(projection.realm == realm)
    }

    @Test("A projection also shows parts of an unmanaged object")
    func unmanaged() {
        let citizen = Citizen("Eva", "Lie")
        citizen.friends.append(Citizen("Fay"))
        let projection = CitizenProjection(projecting: citizen)
        #expect(projection.firstName == "Eva")
        #expect(projection.homeCity == nil)
        #expect(Array(projection.friendsFirstName) == ["Fay"])
        #expect(projection.realm == nil)
        #expect(!projection.isInvalidated)
        projection.firstName = "Eve"
        #expect(citizen.firstName == "Eve")
    }

    @Test("A projection sets the properties of its object")
    func writing() throws {
        let projection = CitizenProjection(projecting: ann)
        try realm.write {
            projection.firstName = "Anna"
            projection.friendsFirstName[1] = "Cyd"
            projection.cities[0] = "Roma"
        }
        #expect(ann.firstName == "Anna")
        #expect(ann.friends[1].firstName == "Cyd")
        #expect(ann.homes[0].city == "Roma")
        #expect(projection.firstName == "Anna")
        try realm.write { ann.friends.append(ann) }
        #expect(Array(projection.friendsFirstName) == ["Bob", "Cyd", "Anna"])
    }

    @Test("A realm returns projections")
    func results() {
        let all = realm.objects(CitizenProjection.self)
        #expect(all.count == 3)
        #expect(all.filter("lastName BEGINSWITH 'D'").map(\.firstName) == ["Cid"])
        #expect(all.sorted(byKeyPath: "lastName").map(\.lastNameCaps) == ["AAS", "BERG", "DAL"])
        #expect(all.sorted(by: \.firstName, ascending: false).first?.firstName == "Cid")
        #expect(all.max(ofProperty: "age") as Int? == 40)
        #expect(all.index(of: CitizenProjection(projecting: ann)) != nil)
    }

    @Test("Embedded objects have projections")
    func embedded() throws {
        let home = try #require(ann.home)
        let projection = HomeProjection(projecting: home)
        try realm.write { projection.city = "Moss" }
        #expect(ann.home?.city == "Moss")
    }

    @Test("A projection equals another projection of the same object")
    func equality() {
        let all = realm.objects(CitizenProjection.self)
        let projection = CitizenProjection(projecting: ann)
        #expect(projection == CitizenProjection(projecting: ann))
        #expect(Set(all).contains(projection))
        #expect(Set(all).count == 3)
        #expect(all[0] != all[1])
        #expect(CitizenProjection(projecting: Citizen()) != projection)
    }

    @Test("A projection is invalidated with its object, but stays valid when frozen")
    func lifetime() throws {
        let projection = CitizenProjection(projecting: ann)
        let frozen = projection.freeze()
        let names = projection.friendsFirstName.freeze()
        #expect(frozen.isFrozen)
        #expect(names.isFrozen)
        #expect(!projection.isFrozen)
        #expect(frozen.thaw() == projection)
        try realm.write {
            ann.friends[0].firstName = "Bert"
            realm.delete(ann)
        }
        #expect(projection.isInvalidated)
        #expect(!frozen.isInvalidated)
        #expect(frozen.firstName == "Ann")
        #expect(frozen.homeCity == "Oslo")
        #expect(Array(frozen.friendsFirstName) == ["Bob", "Cid"])
        #expect(Array(names) == ["Bob", "Cid"])
        #expect(names.thaw() == nil)
        #expect(frozen.thaw() == nil)
    }

    @Test("The description of a projection lists its key paths")
    func description() {
        let text = CitizenProjection(projecting: ann).description
        #expect(text.hasPrefix("CitizenProjection<Citizen> {\n\tfirstName(\\.firstName) = Ann;\n"))
        #expect(text.contains("lastNameCaps(\\.lastName) = BERG;"))
        #expect(text.contains("(\\.home.city)"))
        #expect(text.contains("ProjectedCollection<String> {\n\t[0] Bob\n\t[1] Cid\n}"))
    }

    @Test("Projected collections return the index of a value")
    func positions() {
        let names = CitizenProjection(projecting: ann).friendsFirstName
        #expect(names.index(of: "Cid") == 1)
        #expect(names.index(of: "Eva") == nil)
        #expect(names.index(matching: "age > 30") == 1)
        #expect(names.count == 2)
        #expect(names.realm == realm)
        #expect(!names.isInvalidated)
    }

    @Test("Invalid projections stop the program")
    func mistakes() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = UnstoredProjection(projecting: Citizen("A"))
        }.says("UnstoredProjection.unstored does not show a persisted")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            CitizenProjection(projecting: Citizen("A")).homeCity = "Oslo"
        }.says("CitizenProjection.homeCity can only be read, because it shows Citizen.home.city")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            CitizenProjection(projecting: Citizen("A")).lastNameCaps = "B"
        }.says("CitizenProjection.lastNameCaps can only be read, because it shows Citizen.lastName")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try citizenRealm { $0.add(Citizen("A")) }
            realm.objects(CitizenProjection.self)[0].firstName = "B"
        }.says("cannot set Citizen.firstName outside of a write transaction: do it in")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = CitizenProjection(projecting: Citizen("A")).friendsFirstName[0]
        }.says("index 0 is out of bounds: there are 0 elements")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = CitizenProjection._element
        }.says("CitizenProjection cannot be stored: have a list of Citizen,")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = CitizenProjection(projecting: Citizen("A")).freeze()
        }.says("what is unmanaged cannot be frozen: add it to a realm first")
    }
}

class UnstoredProjection: Projection<Citizen> {
    @Projected(\Citizen.unstored) var unstored
}
