import Firn
import Foundation

/// A class whose primary key may be nil.
protocol OptionallyKeyed: Object {
    associatedtype Key: Equatable
    var id: Key? { get set }
    var label: String { get set }
    /// The values of keys, ascending.
    static var keys: [Key] { get }
}

class OptionalIntKey: Object, OptionallyKeyed {
    @Persisted(primaryKey: true) var id: Int?
    @Persisted var label = ""
    @Persisted var next: OptionalIntKey?

    static let keys = [-1, 0, 7]
}

class OptionalTextKey: Object, OptionallyKeyed {
    @Persisted(primaryKey: true) var id: String?
    @Persisted var label = ""

    static let keys = ["", "a", "b"]
}

class OptionalUUIDKey: Object, OptionallyKeyed {
    @Persisted(primaryKey: true) var id: UUID?
    @Persisted var label = ""

    static let keys = [0, 1, 2].map {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, $0))
    }
}

class OptionalObjectIdKey: Object, OptionallyKeyed {
    @Persisted(primaryKey: true) var id: ObjectId?
    @Persisted var label = ""

    static let keys = [
        ObjectId("000000000000000000000000"), ObjectId("000000000000000000000001"),
        ObjectId("ff0000000000000000000000"),
    ]
}

class OptionalEnumKey: Object, OptionallyKeyed {
    @Persisted(primaryKey: true) var id: Size?
    @Persisted var label = ""

    static let keys = [Size.small, .large]
}

/// The classes of the same names before their keys could be nil.
enum RequiredKeys {
    class OptionalIntKey: Object {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        @Persisted(primaryKey: true) var id = 0
        @Persisted var label = ""
    }
}
