import FirnValues

/// All classes of one root: their schema, where their rows are, and which identities come next.
package struct Catalog: Hashable, Sendable {
    var classes: [ClassRecord] = []
    /// Identities are never used twice, also not after a class is gone.
    var nextClassID = ClassID(1)
    /// Goes up by one with every change of the schema.
    var schemaVersion: UInt64 = 0

    /// The classes as callers see them.
    package var schema: Schema { Schema(classes: classes.map(\.schema)) }

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
}
