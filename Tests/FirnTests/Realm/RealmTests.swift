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
    @Persisted var others: List<Person>
    @Persisted var marks: List<Int>
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
                ann.marks.append(3)
                ann.marks.append(5)
                let cid = Person()
                cid.id = 3
                ann.others.append(cid)
                ann.others.append(bob)
            }
            #expect(ann.age == 7)
            #expect(address.city == "Bergen")
        }
        let realm = try Realm(configuration: configuration)
        let ann = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
        #expect(ann.name == "Ann")
        #expect(Array(ann.marks) == [3, 5])
        #expect(ann.others.map(\.id) == [3, 2])
        let all = realm.objects(Person.self)
        #expect(all.count == 3)
        #expect(all.filter("id != %@ SORT(id DESC)", 9).map(\.id) == [3, 2, 1])
        #expect(all.filter("ANY others.name == %@", "Bob").map(\.name) == ["Ann"])
        #expect(ann.friend?.friend == ann)
        #expect(ann.address?.city == "Bergen")
    }
}
