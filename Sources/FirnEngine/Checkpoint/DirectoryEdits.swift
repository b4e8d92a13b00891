import FirnValues

/// What a transaction does to the row groups of a class.
struct DirectoryEdits {
    /// What becomes of the group that begins with that row id; none: the group goes.
    var replaced: [RowID: [RowGroup]] = [:]
    /// Behind all others, ascending.
    var appended: [RowGroup] = []

    var isEmpty: Bool { replaced.isEmpty && appended.isEmpty }
}
