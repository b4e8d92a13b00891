import Firn
import Foundation

/// A class with properties of all kinds, which tests also use without its Swift class.
class Household: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    override class func propertiesMapping() -> [String: String] { ["size": "member_count"] }

    @Persisted(primaryKey: true) var name = ""
    @Persisted(indexed: true) var size: Int16
    @Persisted var income: Double?
    @Persisted var founded: Date?
    @Persisted var code: UUID
    @Persisted var limit: Decimal128
    @Persisted var anything: AnyRealmValue
    @Persisted var seat: Seat?
    @Persisted var seats: List<Seat>
    @Persisted var pets: List<Pet>
    @Persisted var rivals: MutableSet<Household>
    @Persisted var favourites: Map<String, Pet?>
    @Persisted var marks: List<Int?>
    @Persisted var tags: MutableSet<String>
    @Persisted var scores: Map<String, Double>
}

class Seat: EmbeddedObject {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    @Persisted var city = ""
    @Persisted var street: String?
}

class Pet: Object, ObjectKeyIdentifiable {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted(originProperty: "pets") var homes: LinkingObjects<Household>
}
