import FirnCodec
import FirnValues

/// Marks of rows of a table, one bit per row of the row groups that have a marked row.
struct RowMarks {
    private var groups: [Bitmap?] = []

    /// The end of the row groups that may have a marked row.
    var groupCount: Int { groups.count }

    /// Marks the row with a number.
    mutating func mark(_ number: Int64, source: any RowSource) {
        let reference = RowReference(number: number)
        let group = Int(reference.group)
        while group >= groups.count { groups.append(nil) }
        if groups[group] == nil { groups[group] = Bitmap(count: source.rowCount(of: group)) }
        groups[group]?[Int(reference.row)] = true
    }

    /// Adds the marks of other rows of the same table.
    mutating func formUnion(_ other: RowMarks) {
        while groups.count < other.groups.count { groups.append(nil) }
        for (group, marks) in other.groups.enumerated() {
            guard let marks else { continue }
            if groups[group] == nil {
                groups[group] = marks
            } else {
                groups[group]?.formUnion(marks)
            }
        }
    }

    /// Returns the marked rows of a row group; `nil` without any.
    func run(of group: Int) -> RowRun? {
        guard let marks = groups[group] else { return nil }
        return RowRun(group: group, selection: .marked(marks, population: marks.population))
    }
}
