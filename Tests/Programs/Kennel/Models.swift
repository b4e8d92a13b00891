import Firn
import Foundation

class Person: Object {
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var address: Address?
    @Persisted var friends: List<Person>
    @Persisted var dogs: List<Dog>
    @Persisted var reviews: List<String>

    var fullName: String { "\(firstName) \(lastName)" }
}

class Address: EmbeddedObject {
    @Persisted var city = ""
    @Persisted var country = ""
}

class Dog: Object {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted(indexed: true) var name = ""
    @Persisted var breed = Breed.mixed
    @Persisted var weight: Double?
    @Persisted var born: Date?
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
}

enum Breed: String, PersistableEnum {
    case mixed, husky, poodle
}

/// The properties that a list of people on a screen needs.
class PersonProjection: Projection<Person> {
    @Projected(\Person.firstName) var firstName
    @Projected(\Person.lastName.localizedUppercase) var lastNameCaps
    @Projected(\Person.address?.city) var homeCity
    @Projected(\Person.friends.projectTo.firstName) var friendsFirstName:
        ProjectedCollection<String>
    @Projected(\Person.dogs.projectTo.name) var dogNames: ProjectedCollection<String>
}
