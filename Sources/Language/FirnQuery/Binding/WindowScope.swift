import FirnValues

/// The columns of a projection with values of other rows, collected while its items are bound.
final class WindowScope {
    private(set) var columns: [BoundWindowColumn] = []

    /// Returns the column of a value of each row, adding it if necessary.
    func column(of computed: Computed, name: String) -> BoundColumn {
        let known = columns.firstIndex { column in
            if case .input(let input) = column {
                input.expression == computed.expression
            } else {
                false
            }
        }
        if let known { return output(known) }
        columns.append(
            .input(
                BoundProjection(
                    computed.expression, name: name, type: computed.type,
                    display: computed.expression.display)))
        return output(columns.count - 1)
    }

    /// Returns the index of an input.
    func index(of computed: Computed) -> Int {
        guard
            case .output(let index, _, _, _) = column(
                of: computed, name: computed.expression.defaultName)
        else { return 0 }
        return index
    }

    func column(of window: BoundWindow) -> BoundColumn {
        if let known = columns.firstIndex(of: .window(window)) { return output(known) }
        columns.append(.window(window))
        return output(columns.count - 1)
    }

    private func output(_ index: Int) -> BoundColumn {
        let column = columns[index]
        return .output(index, name: column.name, type: column.type, display: column.display)
    }
}
