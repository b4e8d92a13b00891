import Firn
import Foundation
import Testing

/// The example of the README, word for word.
private enum Readme {
    class Person: Object {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }

        @Persisted(primaryKey: true) var id: ObjectId
        @Persisted var name = ""
        @Persisted var address: Address?
        @Persisted var friends: List<Person>
    }

    class Address: EmbeddedObject {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }

        @Persisted var city = ""
    }
}

@Suite("The README")
struct ReadmeTests {
    @Test("The example of the README works")
    func example() throws {
        let test = TestRealm([Readme.Person.self])
        let realm = try test.open()
        try realm.write {
            realm.create(
                Readme.Person.self, value: ["name": "Ann", "address": ["city": "Oslo"]])
            realm.create(Readme.Person.self, value: ["name": "Bob"])
        }
        let near = realm.objects(Readme.Person.self).where { $0.address.city == "Oslo" }
            .sorted(by: \.name)
        #expect(near.map(\.name) == ["Ann"])
    }
}
