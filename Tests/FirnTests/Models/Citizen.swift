import Firn
import FirnTesting
import Foundation

/// The model from the documentation of projections, under names of its own.
class Citizen: Object {
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var age = 0
    @Persisted var weight: Double?
    @Persisted var born = Date(timeIntervalSince1970: 0)
    @Persisted var isMarried = false
    @Persisted var home: Home?
    @Persisted var spouse: Citizen?
    @Persisted var friends: List<Citizen>
    @Persisted var hounds: List<Hound>
    @Persisted var reviews: List<String>
    @Persisted var marks: List<Int>
    @Persisted var temperatures: List<Double?>
    @Persisted var homes: List<Home>

    /// Computed properties, which are not in the database.
    var fullName: String { firstName + " " + lastName }
    var shout: String { firstName.uppercased() }
    var isOld: Bool { age > 65 }
    var unstored = "x"

    convenience init(_ firstName: String, _ lastName: String = "", age: Int = 0) {
        self.init()
        self.firstName = firstName
        self.lastName = lastName
        self.age = age
    }
}

class Home: EmbeddedObject {
    @Persisted var city = ""
    @Persisted var country = ""
    @Persisted var planet: Planet?
}

class Planet: EmbeddedObject {
    @Persisted var name: String?
}

class Hound: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted var age = 0
    @Persisted var weight: Float?
    @Persisted(originProperty: "hounds") var owners: LinkingObjects<Citizen>

    convenience init(_ name: String, age: Int = 0, weight: Float? = nil) {
        self.init()
        self.name = name
        self.age = age
        self.weight = weight
    }
}

/// A citizen with one more property.
class Mayor: Citizen {
    @Persisted var term: Int?
}

class CitizenProjection: Projection<Citizen> {
    @Projected(\Citizen.firstName) var firstName
    @Projected(\Citizen.lastName.localizedUppercase) var lastNameCaps
    @Projected(\Citizen.home?.city) var homeCity
    @Projected(\Citizen.friends.projectTo.firstName)
    var friendsFirstName: ProjectedCollection<String>
    @Projected(\Citizen.homes.projectTo.city) var cities: ProjectedCollection<String>
}

class HomeProjection: Projection<Home> {
    @Projected(\Home.city) var city
}

/// A private realm in memory with citizens.
func citizenRealm(_ fill: (Realm) -> Void = { _ in }) throws -> Realm {
    let realm = try Realm(
        configuration: Realm.Configuration(
            inMemoryIdentifier: Foundation.UUID().uuidString,
            objectTypes: [Citizen.self, Hound.self, Mayor.self]))
    try realm.write { fill(realm) }
    return realm
}
