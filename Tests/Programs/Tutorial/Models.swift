import Firn
import Foundation

class Person: Object {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var first: String
    @Persisted var last: String
    @Persisted(indexed: true) var city: String?
    @Persisted var age: Int
    @Persisted var address: Address?
    @Persisted var dogs: List<Dog>
    @Persisted var employer: Company?
    @Persisted var tags: MutableSet<String>
}

class Dog: Object {
    @Persisted(primaryKey: true) var tag: String
    @Persisted var name: String
    @Persisted var age: Int
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
}

class Company: Object {
    @Persisted(primaryKey: true) var _id: UUID
    @Persisted var name: String
    @Persisted var revenue: Decimal128?
}

class Address: EmbeddedObject {
    @Persisted var street: String
    @Persisted var city: String
    @Persisted var zip: Int?
}
