// `sectioned(by: \.initial)` stopped the program for a computed property. This is the example in
// the documentation of Realm: the elements are sorted by the persisted property that the computed
// one reads, and its values are the keys of the sections.

import Firn
import Foundation
import Testing

extension Citizen {
    fileprivate var initial: String { lastName.first.map(String.init) ?? "" }
    fileprivate var isAdult: Bool { age >= 18 }
    fileprivate var fixed: Int { 3 }
}

@Suite("Sections by a computed property")
struct ComputedSectionsTests {
    private let realm: Realm

    init() throws {
        realm = try citizenRealm { realm in
            for (name, age) in [("Berg", 30), ("Aas", 10), ("Bo", 5), ("Alm", 40)] {
                realm.add(Citizen("", name, age: age))
            }
        }
    }

    @Test("Sections of a computed property follow the order of the property that it reads")
    func order() {
        let sections = realm.objects(Citizen.self).sectioned(by: \.initial)
        #expect(sections.allKeys == ["A", "B"])
        #expect(sections.map { $0.map(\.lastName) } == [["Aas", "Alm"], ["Berg", "Bo"]])
        let descending = realm.objects(Citizen.self).sectioned(by: \.initial, ascending: false)
        #expect(descending.map { $0.map(\.lastName) } == [["Bo", "Berg"], ["Alm", "Aas"]])
        #expect(realm.objects(Citizen.self).sectioned(by: \.isAdult).allKeys == [false, true])
    }

    @Test("Sections follow the order of given sort descriptors")
    func descriptors() throws {
        let sections = realm.objects(Citizen.self).sectioned(
            by: \.isAdult, sortDescriptors: ["age"])
        #expect(sections.map { $0.map(\.age) } == [[5, 10], [30, 40]])
        try realm.write { realm.objects(Citizen.self).filter("age == 10")[0].age = 50 }
        #expect(sections.map { $0.map(\.age) } == [[5], [30, 40, 50]])
        #expect(sections.freeze().map { $0.map(\.age) } == [[5], [30, 40, 50]])
    }

    @Test("Sections need a persisted property to sort by")
    func fixed() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try citizenRealm().objects(Citizen.self).sectioned(by: \.fixed)
        }.says(" reads no persisted property: pass sort descriptors to order the sections by")
    }
}
