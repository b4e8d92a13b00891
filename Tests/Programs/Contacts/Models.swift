import Firn
import Foundation

/// A class of one version; the realm of the program names its classes.
class VersionedObject: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Version 1: names in one text, and ages.
enum Version1 {
    class Person: VersionedObject {
        @Persisted var name = ""
        @Persisted var age: Int?
        @Persisted var phone: String?
        @Persisted var friends: List<Person>
    }

    static let types: [ObjectBase.Type] = [Person.self]
}

/// Version 2: first and last names, and years of birth instead of ages.
enum Version2 {
    class Person: VersionedObject {
        @Persisted var firstName = ""
        @Persisted var lastName = ""
        @Persisted var born: Int?
        @Persisted var phone: String?
        @Persisted var friends: List<Person>
    }

    static let types: [ObjectBase.Type] = [Person.self]
}

/// Version 3: several phones of a person, which others may share, and circles of people.
enum Version3 {
    class Person: VersionedObject {
        @Persisted var firstName = ""
        @Persisted var lastName = ""
        @Persisted var born: Int?
        @Persisted var phones: List<Phone>
        @Persisted var friends: List<Person>
    }

    class Phone: VersionedObject {
        @Persisted var number = ""
        @Persisted var kind = "home"
    }

    class Circle: VersionedObject {
        @Persisted(primaryKey: true) var name = ""
        @Persisted var members: List<Person>
    }

    static let types: [ObjectBase.Type] = [Person.self, Phone.self, Circle.self]
}

/// Version 4, the current one: numbers as keys, phones that belong to one person, no circles, and
/// years as texts.
enum Version4 {
    class Person: VersionedObject {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var givenName = ""
        @Persisted var familyName = ""
        @Persisted var born = "unknown"
        @Persisted var phones: List<Phone>
        @Persisted var friends: List<Person>
        @Persisted var circles: MutableSet<String>
    }

    class Phone: EmbeddedObject {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }

        @Persisted var number = ""
        @Persisted var kind = "home"
    }

    static let types: [ObjectBase.Type] = [Person.self]
}
