import FirnValues

/// `pivot(carrier; month; @count)`, or `pivot(month)` after a group.
package struct PivotClause: Hashable, Sendable {
    /// The items that name the rows, and the items whose values fill them.
    package struct Group: Hashable, Sendable {
        package let rows: [ProjectionItem]
        package let items: [ProjectionItem]
    }

    /// The group whose rows are turned; `nil` if the stage follows a group.
    package let group: Group?
    /// The item whose values become columns.
    package let column: ProjectionItem
    /// The values in the order of their columns: `month IN {1, 2}`; `nil` for all values.
    package let values: [Expression]?
}
