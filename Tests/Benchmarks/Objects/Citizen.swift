import Firn
import Foundation

/// The object class that the object API is measured with: seven properties, with a key.
final class Citizen: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var score = 0.0
    @Persisted var flag = false
    @Persisted var when: Date?
    @Persisted var city: String?
}

/// An object with links.
final class Household: Object {
    @Persisted var head: Citizen?
    @Persisted var members: List<Citizen>
    @Persisted var numbers: List<Int>
}
