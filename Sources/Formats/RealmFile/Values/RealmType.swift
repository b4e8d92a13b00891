/// The types of values, with their numbers in a Realm file.
package enum RealmType: UInt8, Sendable {
    case int = 0
    case bool = 1
    case string = 2
    case data = 4
    case mixed = 6
    case date = 8
    case float = 9
    case double = 10
    case decimal = 11
    case link = 12
    case objectID = 15
    case typedLink = 16
    case uuid = 17
}
