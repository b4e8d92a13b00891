import FirnEngine
import FirnFormats
import FirnQuery
import FirnValues

/// The columns that identify and order the rows of a result.
///
/// They come first in a table that cannot show all columns.
enum LeadingColumns {
    /// Returns the names of the key and the sort keys; none for a query that chooses its columns,
    /// because it also chooses their order.
    static func names(of query: BoundQuery) -> [String] {
        var names: [String] = []
        if let key = query.classSchema.keyProperty { names.append(key.name) }
        for stage in query.stages {
            switch stage {
            case .sort(let keys):
                for key in keys {
                    guard case .column(let column) = key.expression,
                        !names.contains(column.name)
                    else { continue }
                    names.append(column.name)
                }
            case .project, .aggregate, .group, .window, .unnest, .count, .exists, .pivot,
                .chart:
                return []
            case .filter, .filterAmong, .distinct, .limit, .limitEach, .join, .skip, .first, .last:
                break
            }
        }
        return names
    }
}

/// The order of the rows of a result.
enum SortMarks {
    /// Returns the names of the sort keys, and whether each is descending.
    static func names(of query: BoundQuery) -> TextMap<Bool> {
        var names: TextMap<Bool> = [:]
        for stage in query.stages {
            switch stage {
            case .sort(let keys):
                names = [:]
                for key in keys {
                    guard case .column(let column) = key.expression else { continue }
                    names[column.name] = key.descending
                }
            case .aggregate, .group, .count, .exists, .pivot, .chart: names = [:]
            case .filter, .filterAmong, .distinct, .limit, .limitEach, .join, .skip, .window,
                .unnest, .project, .first, .last:
                break
            }
        }
        return names
    }
}

extension RowLayout {
    /// Sets the columns that come first in a table and those that are marked as sort keys.
    mutating func setColumnRoles(of query: BoundQuery) {
        leadingColumns = LeadingColumns.names(of: query)
        sortKeys = SortMarks.names(of: query)
    }
}

extension TableWriter {
    /// The number of shown columns, such as `11 of 20 columns`; `nil` if all are shown.
    var columnsText: String? {
        guard omittedColumnCount > 0 else { return nil }
        return "\(shownColumns.count) of \(columns.count) columns"
    }
}
