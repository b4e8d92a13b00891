import FirnValues

/// All classes of one root: their schema, where their rows are, and which identities come next.
package struct Catalog: Hashable, Sendable {
    var classes: [ClassRecord] = []
    /// Identities are never used twice, also not after a class is gone.
    var nextClassID = ClassID(1)
    /// Goes up by one with every change of the schema.
    var schemaVersion: UInt64 = 0
    /// The version of the model that a program gave the classes last; `nil` if none did.
    var modelVersion: UInt64?
    /// The freezes of a root of format 1, in the order in which they were made; later formats keep
    /// them in the history, and leave this empty.
    var freezes: [Freeze] = []

    /// The classes as callers see them.
    package var schema: Schema { Schema(classes: classes.map(\.schema)) }

    /// Changes a class in place.
    mutating func update(_ id: ClassID, _ change: (inout ClassRecord) -> Void) {
        guard let index = classes.firstIndex(where: { $0.schema.id == id }) else { return }
        change(&classes[index])
    }

    subscript(id: ClassID) -> ClassRecord? {
        get { classes.first { $0.schema.id == id } }
        set {
            guard let newValue, let index = classes.firstIndex(where: { $0.schema.id == id }) else {
                return
            }
            classes[index] = newValue
        }
    }
}

/// One class of a root.
struct ClassRecord: Hashable, Sendable {
    var schema: ClassSchema
    var nextPropertyID: PropertyID
    /// The identity of the next object.
    var nextRowID = RowID(0)
    /// Objects that are not deleted.
    var liveRowCount: UInt64 = 0
    var groupCount: UInt64 = 0
    var directory: DirectoryRoot?
    var keyIndex = KeyIndex.ascending
    /// The link index of each property that may link, once anything links through it.
    var linkIndexes: [PropertyID: TreeRoot] = [:]
    /// The elements of large collections, by property.
    var collectionTrees: [PropertyID: TreeRoot] = [:]
    /// What the rows of groups that are older than a property have of it; nil is not noted.
    var fillings: [PropertyID: Value] = [:]
}

/// How the object with a primary key is found.
enum KeyIndex: Hashable, Sendable {
    /// Keys ascend with the row ids, so that the rows themselves are the index.
    case ascending
    /// Key to row id; `nil` while there is no object.
    case tree(TreeRoot?)

    var root: TreeRoot? {
        if case .tree(let root) = self { root } else { nil }
    }
}

extension ClassRecord {
    /// All trees of the class besides its directory, with what they are for.
    var trees: [(root: TreeRoot, name: String)] {
        var trees: [(root: TreeRoot, name: String)] = []
        func add(_ root: TreeRoot?, _ name: String) {
            if let root { trees.append((root, name)) }
        }
        add(keyIndex.root, Tree.keyIndexName(schema))
        for property in schema.properties {
            add(linkIndexes[property.id], Tree.linkIndexName(schema, property))
            add(collectionTrees[property.id], Tree.collectionName(schema, property))
        }
        return trees
    }
}

extension Tree {
    static func keyIndexName(_ schema: ClassSchema) -> String { "key index of \(schema.name)" }

    static func linkIndexName(_ schema: ClassSchema, _ property: PropertySchema) -> String {
        "link index of \(schema.name).\(property.name)"
    }

    static func collectionName(_ schema: ClassSchema, _ property: PropertySchema) -> String {
        "large collections of \(schema.name).\(property.name)"
    }
}

extension RowID {
    /// All row ids are below it, so that sums with numbers of rows and differences as `Int64` hold.
    static let limit = RowID(UInt64.max >> 1)
}

/// The root of the tree of row groups.
struct DirectoryRoot: Hashable, Sendable {
    let reference: PageReference
    /// 0: the root is a leaf.
    let level: Int

    /// Enough for more groups than a file can hold, and a bound for hostile files.
    static let maximumLevel = 8
}
