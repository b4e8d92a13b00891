import FirnValues

/// A class of a Realm file.
package struct RealmClass: Sendable {
    package enum Kind: String, Sendable {
        case object
        case embedded
        /// Objects on their way to a server; a file has none of them.
        case asymmetric
    }

    /// The name without the prefix of its table.
    package let name: String
    package let kind: Kind
    /// The properties in the order of their declaration.
    package let columns: [RealmColumn]
    /// The index of the primary key in ``columns``.
    package let primaryKey: Int?
    /// The number that identifies the table in links.
    let tableKey: UInt32
    /// The root of the tree of objects.
    let root: UInt64?
    package let objectCount: UInt64

    /// Whether the class belongs to the permissions of an old sync server, and not to an app.
    package var isInternal: Bool { name.hasPrefix("__") }
}

/// A property of a class of a Realm file.
package struct RealmColumn: Sendable {
    package enum Container: String, Sendable {
        case list
        case set
        case dictionary
    }

    package let name: String
    package let type: RealmType
    /// Whether the value, or each element, may be null.
    package let isNullable: Bool
    package let container: Container?
    /// The index of the class that a link leads to.
    package let target: Int?
    /// Whether the keys of a dictionary are integers.
    package let hasIntegerKeys: Bool
    /// The slot in each cluster.
    let index: Int
    /// The texts of a column that stores numbers in their place.
    let enumerated: UInt64?
}
