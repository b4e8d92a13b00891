extension BoundPredicate: CustomStringConvertible {
    /// The condition in canonical form: the column first, `AND` before `OR` without parentheses.
    package var description: String { BoundText().text(self) }
}

extension BoundExpression: CustomStringConvertible {
    /// The value in canonical form.
    package var description: String { BoundText().text(self) }

    /// The name of a column of this expression without an alias.
    var defaultName: String {
        if case .column(let column) = self { column.name } else { description }
    }
}
