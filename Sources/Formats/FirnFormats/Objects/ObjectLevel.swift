import FirnValues

/// Objects that are written inside other objects: one entry for each time an object is written,
/// with the enclosing object.
final class ObjectLevel {
    /// The limit of levels, so that no file can cause an endless recursion.
    static let depthMax = 64

    let classID: ClassID
    let rows: [RowID]
    /// The index of the enclosing object of each object in ``outer``; unused at the top level.
    let parents: [Int]
    let outer: ObjectLevel?
    let depth: Int

    init(_ classID: ClassID, rows: [RowID], parents: [Int], outer: ObjectLevel?) {
        self.classID = classID
        self.rows = rows
        self.parents = parents
        self.outer = outer
        depth = (outer?.depth ?? 0) + 1
    }

    /// Returns whether an object is at an index or encloses the object there.
    func contains(_ row: RowID, of classID: ClassID, at index: Int) -> Bool {
        var level = self
        var index = index
        while true {
            if level.classID == classID, level.rows[index] == row { return true }
            guard let outer = level.outer else { return false }
            index = level.parents[index]
            level = outer
        }
    }
}
