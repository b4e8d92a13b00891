import FirnValues

/// All classes of one root: their schemas, their rows, and the next identities.
package struct Catalog: Hashable, Sendable {
    var classes: [ClassRecord] = []
    /// The identity of the next class; identities are never reused, even after a class is removed.
    var nextClassID = ClassID(1)
    /// The version of the schema, which every change to it increments.
    var schemaVersion: UInt64 = 0
    /// The last model version that a program gave the classes; `nil` if there is none.
    var modelVersion: UInt64?
    /// The freezes of a root of format 1, in the order in which they were made.
    ///
    /// Later formats store them in the history and leave this empty.
    var freezes: [Freeze] = []

    /// The public schema of the classes.
    package var schema: Schema { Schema(classes: classes.map(\.schema)) }

    /// Whether a class has an index.
    var hasIndexes: Bool { classes.contains { !$0.schema.indexes.isEmpty } }

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
    /// The number of objects that are not deleted.
    var liveRowCount: UInt64 = 0
    var groupCount: UInt64 = 0
    var directory: DirectoryRoot?
    var keyIndex = KeyIndex.ascending
    /// The link index of each property that may link, once there is a link.
    var linkIndexes: [PropertyID: TreeRoot] = [:]
    /// The elements of large collections, by property.
    var collectionTrees: [PropertyID: TreeRoot] = [:]
    /// The state of each index.
    var indexTrees: [IndexID: IndexTree] = [:]
    /// The values of newer properties in the rows of older groups; nil values are omitted.
    var defaultValues: [PropertyID: Value] = [:]
}

/// The index that finds an object by its primary key.
enum KeyIndex: Hashable, Sendable {
    /// The keys ascend with the row ids, so that the rows themselves are the index.
    case ascending
    /// A tree from key to row id; `nil` while there is no object.
    case tree(TreeRoot?)

    var root: TreeRoot? {
        if case .tree(let root) = self { root } else { nil }
    }
}

/// The tree of an index.
enum IndexTree: Hashable, Sendable {
    /// The next fold builds the tree; until then, readers scan.
    case unbuilt
    /// The tree has the entries of all rows of the root; `nil` while there is none.
    case built(TreeRoot?)

    var root: TreeRoot? {
        if case .built(let root) = self { root } else { nil }
    }
}

extension RowID {
    /// The exclusive upper limit of row ids, so that sums with row counts and differences as
    /// `Int64` do not overflow.
    static let limit = RowID(UInt64.max >> 1)
}

/// The root of the tree of row groups.
struct DirectoryRoot: Hashable, Sendable {
    let reference: PageReference
    /// The level of the root; 0 means that the root is a leaf.
    let level: Int

    /// The highest level, sufficient for the groups of any file.
    static let maximumLevel = 8
}
