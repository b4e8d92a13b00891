import Firn
import Foundation

/// The classes of an app whose Realm file is the sample `people`.
enum People {
    class ImportedObject: Object {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class Person: ImportedObject {
        @Persisted(primaryKey: true) var id: ObjectId
        @Persisted var first = ""
        @Persisted var last = ""
        @Persisted var city: String?
        @Persisted var age: Int16
        @Persisted var height: Double?
        @Persisted(indexed: true) var born: Date?
        @Persisted var active: Bool
        @Persisted var address: Address?
        @Persisted var dogs: List<Dog>
        @Persisted var friend: Person?
        @Persisted var employer: Company?
        @Persisted var tags: MutableSet<String>
        @Persisted var attrs: Map<String, AnyRealmValue>
        @Persisted var note: String?

        override class func propertiesMapping() -> [String: String] { ["id": "_id"] }
    }

    class Address: EmbeddedObject {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }

        @Persisted var street = ""
        @Persisted var city = ""
        @Persisted var zip: Int?
        @Persisted(originProperty: "address") var residents: LinkingObjects<Person>
    }

    class Dog: ImportedObject {
        @Persisted(primaryKey: true) var tag = ""
        @Persisted var name = ""
        @Persisted var age = 0
        @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
    }

    class Company: ImportedObject {
        @Persisted(primaryKey: true) var _id = UUID()
        @Persisted var name = ""
        @Persisted var revenue: Decimal128?
    }

    class Club: ImportedObject {
        @Persisted var name = ""
        @Persisted var members: List<Person>
        @Persisted var scores: List<Int>
        @Persisted var optscores: List<Int?>
        @Persisted var words: MutableSet<String>
        @Persisted var directory: Map<String, String?>
        @Persisted var dates: List<Date>
        @Persisted var texts: List<String>
    }

    static let types: [ObjectBase.Type] = [Person.self, Company.self, Club.self]
}

/// The class of the samples `streaming` and `encrypted-streaming`.
class Thing: People.ImportedObject {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var v = ""
}
