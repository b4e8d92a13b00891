// `distinct(by: ["owner.name"])` kept an object without an owner. In Realm a distinct over links
// leaves out every object for which a link on the path is nil; a nil at the end of the path is a
// value like any other.

import Firn
import Foundation
import Testing

private class Guest: Object {
    @Persisted var name = ""
    @Persisted var host: Guest?
    @Persisted var city: String?
}

@Suite("Distinct results through a link")
struct DistinctLinkTests {
    private let realm: Realm

    init() throws {
        realm = try Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: UUID().uuidString, objectTypes: [Guest.self]))
        let realm = realm
        try realm.write {
            let ann = realm.create(Guest.self, value: ["name": "Ann", "city": "Oslo"])
            let bob = realm.create(Guest.self, value: ["name": "Bob", "host": ann])
            realm.create(Guest.self, value: ["name": "Cid", "host": ann])
            realm.create(Guest.self, value: ["name": "Dan", "host": bob, "city": "Rome"])
            realm.create(Guest.self, value: ["name": "Eva", "host": bob])
        }
    }

    private func names(_ results: Results<Guest>) -> [String] { results.map(\.name) }

    @Test("Objects whose link is nil are omitted")
    func links() {
        let all = realm.objects(Guest.self)
        #expect(names(all.distinct(by: ["host.name"])) == ["Bob", "Dan"])
        #expect(names(all.distinct(by: [\Guest.host?.name])) == ["Bob", "Dan"])
        #expect(names(all.distinct(by: ["host.host.name"])) == ["Dan"])
        #expect(names(all.distinct(by: ["city", "host.name"])) == ["Bob", "Dan", "Eva"])
        let sorted = all.sorted(byKeyPath: "name", ascending: false)
        #expect(names(sorted.distinct(by: ["host.name"])) == ["Eva", "Cid"])
    }

    @Test("The first object with a nil at the end of the path is kept")
    func values() {
        let all = realm.objects(Guest.self)
        #expect(names(all.distinct(by: ["host.city"])) == ["Bob", "Dan"])
        #expect(names(all.distinct(by: ["city"])) == ["Ann", "Bob", "Dan"])
        #expect(names(all.distinct(by: ["host"])).count == 3)
    }
}
