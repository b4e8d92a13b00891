import FirnValues

/// Objects that are written inside of others: each time that one is written, with the object around
/// it.
final class ObjectLevel {
    /// More levels than this are never written, so that no file can ask for an endless recursion.
    static let depthMax = 64

    let classID: ClassID
    let rows: [RowID]
    /// For each object, the place of the one around it in ``outer``; meaningless at the top.
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

    /// Whether an object is the one at a place or stands around it.
    func contains(_ row: RowID, of classID: ClassID, at place: Int) -> Bool {
        var level = self
        var place = place
        while true {
            if level.classID == classID, level.rows[place] == row { return true }
            guard let outer = level.outer else { return false }
            place = level.parents[place]
            level = outer
        }
    }
}
