import FirnValues

/// The changes of a transaction to the row groups of a class.
struct DirectoryEdits {
    /// The replacements of the group that begins with a row id; an empty list removes the group.
    var replaced: [RowID: [RowGroup]] = [:]
    /// The groups after all others, ascending.
    var appended: [RowGroup] = []

    var isEmpty: Bool { replaced.isEmpty && appended.isEmpty }
}
