import FirnSyntax
import FirnValues

extension [ProjectionItem] {
    /// Returns the items, with `*` replaced by the available columns.
    ///
    /// A column that the list defines itself is not repeated: `select(*, name = upper(name))`.
    ///
    /// - Throws: ``QueryError`` if `*` leaves out a column that does not exist, or all of them.
    func expanded(to columns: [String]) throws(QueryError) -> [ProjectionItem] {
        guard contains(where: { $0.excluded != nil }) else { return self }
        let own = TextSet(compactMap(\.alias))
        var items: [ProjectionItem] = []
        for item in self {
            guard let excluded = item.excluded else {
                items.append(item)
                continue
            }
            for column in excluded where !columns.contains(column.name) {
                let nearest = NearestNames.find(column.name, among: columns)
                throw QueryError(
                    .unknownProperty, "no column \"\(column.name.shortened)\" to leave out",
                    at: column.range.bytes, hint: nearest.first.map { "did you mean \"\($0)\"?" },
                    suggestions: nearest,
                    notes: [
                        "columns: " + columns.map { Canonical.name($0) }.joined(separator: " · ")
                    ])
            }
            let left = TextSet(excluded.map(\.name))
            for column in columns where !left.contains(column) && !own.contains(column) {
                let segment = Path.Segment(.name(column), range: item.range)
                items.append(
                    ProjectionItem(
                        expression: .path(Path(segments: [segment], range: item.range)),
                        alias: column, range: item.range))
            }
        }
        if items.isEmpty, let all = first {
            throw QueryError(
                .type, "no column is left", at: all.range.bytes, hint: "leave out fewer of them")
        }
        return items
    }
}
