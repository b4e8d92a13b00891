import Firn
import FirnTesting
import Foundation
import Testing

class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var age: Int?
    @Persisted var height = 1.5
    @Persisted var address: Address?
    @Persisted var friend: Person?
}

class Address: EmbeddedObject {
    @Persisted var city = ""
}

@Suite("A realm")
struct RealmTests {
    @Test("keeps what was written in a transaction")
    func roundTrip() throws {
        let folder = TemporaryFolder()
        let url = URL(fileURLWithPath: folder("a.firn"))
        let configuration = Realm.Configuration(fileURL: url)
        do {
            let realm = try Realm(configuration: configuration)
            let ann = Person()
            ann.id = 1
            ann.name = "Ann"
            let bob = Person()
            bob.id = 2
            bob.name = "Bob"
            bob.friend = ann
            ann.friend = bob
            let address = Address()
            address.city = "Oslo"
            ann.address = address
            try realm.write { realm.add(bob) }
            #expect(ann.friend?.name == "Bob")
            #expect(ann.address?.city == "Oslo")
            #expect(ann.age == nil)
            try realm.write {
                ann.age = 7
                #expect(ann.age == 7)
                ann.address?.city = "Bergen"
            }
            #expect(ann.age == 7)
            #expect(address.city == "Bergen")
        }
        let realm = try Realm(configuration: configuration)
        let ann = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
        #expect(ann.name == "Ann")
        #expect(ann.friend?.friend == ann)
        #expect(ann.address?.city == "Bergen")
    }
}
