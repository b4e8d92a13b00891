import Firn
import Foundation
import Testing

extension CitizenProjection: ObjectKeyIdentifiable {}
extension Citizen: ObjectKeyIdentifiable {}
extension Home: ObjectKeyIdentifiable {}

@Suite("The identity of an object")
struct ObjectKeyIdentifiableTests {
    @Test("Each object has its own identity, the same wherever it is found")
    func managed() throws {
        let test = TestRealm([Citizen.self, Household.self])
        var numbers: [UInt64] = []
        do {
            let realm = try test.open()
            try realm.write {
                for name in ["Ann", "Bob"] {
                    let citizen = Citizen(name)
                    citizen.home = Home()
                    realm.add(citizen)
                    realm.create(Pet.self)
                }
            }
            let citizens = realm.objects(Citizen.self)
            numbers = citizens.map(\.id) + citizens.compactMap { $0.home?.id }
            numbers += realm.objects(Pet.self).map(\.id)
            #expect(Set(numbers).count == 6)
            #expect(citizens[0].id == citizens[0].id)
            #expect(citizens[0].freeze().id == citizens[0].id)
            #expect(CitizenProjection(projecting: citizens[1]).id == citizens[1].id)
            let ann = citizens[0]
            let id = ann.id
            try realm.write { realm.delete(ann) }
            #expect(ann.id == id)
        }
        // As another process does.
        let realm = try test.open()
        #expect(realm.objects(Citizen.self).map(\.id) == [numbers[1]])
    }

    @Test("The identity of an unmanaged object is the identity of its instance")
    func unmanaged() {
        let (first, second) = (Pet(), Pet())
        #expect(first.id == first.id && first.id != second.id)
        let citizen = Citizen("Ann")
        #expect(CitizenProjection(projecting: citizen).id == citizen.id)
    }

    @Test("List views use the identity of an object")
    func identifiable() {
        func number(_ thing: some Identifiable<UInt64>) -> UInt64 { thing.id }
        let pet = Pet()
        #expect(number(pet) == pet.id)
    }
}
