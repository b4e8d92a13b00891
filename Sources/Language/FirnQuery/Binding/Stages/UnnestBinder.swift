import FirnEngine
import FirnValues

/// Binds `each(items)`.
struct UnnestBinder {
    let binder: Binder
    /// The columns of the rows before; `nil` if they are the properties of the objects.
    let projection: [BoundProjection]?

    /// - Returns: The stage. Its columns are the single values of the rows before, without those that
    ///   an item replaces, and the items.
    func bind(
        _ items: [ProjectionItem], keepsEmpty: Bool, _ range: SourceRange
    ) throws(QueryError) -> BoundUnnest {
        guard binder.outputs == nil else {
            throw binder.typeError(
                "each needs objects, and these rows are computed", range,
                hint: binder.mentioned == nil
                    ? "put it before the stage that computes them"
                    : "name several collections in one: each(a, b)")
        }
        var columns: [BoundUnnest.Column] = []
        for item in items {
            let column = try column(item)
            guard !columns.contains(where: { $0.name == column.name }) else {
                throw binder.typeError(
                    "two columns have the name \"\(column.name.shortened)\"", item.range,
                    hint: "name one of them with AS")
            }
            columns.append(column)
        }
        guard columns.contains(where: { if case .element = $0.content { true } else { false } })
        else {
            throw binder.typeError(
                "each needs a list, a set or a map", range, hint: "such as each(tags)")
        }
        let before =
            projection
            ?? binder.classSchema.properties.map {
                BoundProjection(whole: $0, of: binder.classSchema)
            }
        let own = before.filter { column in
            column.type.container == .single && column.expression.elementPath == nil
                && !columns.contains { $0.name == column.name }
        }.map { BoundUnnest.Column($0.name, $0.expression) }
        guard projection == nil else {
            // The canonical form names them, because it has no projection before the stage.
            return BoundUnnest(
                columns: own + columns, namedCount: own.count + columns.count,
                keepsEmpty: keepsEmpty)
        }
        return BoundUnnest(
            columns: columns + own, namedCount: columns.count, keepsEmpty: keepsEmpty)
    }

    private func column(_ item: ProjectionItem) throws(QueryError) -> BoundUnnest.Column {
        if case .path(let path) = item.expression, path.variable == nil,
            path.segments.map(\.kind) == [.attribute("@index")]
        {
            return BoundUnnest.Column(
                item.alias ?? "index", .position, PropertyType(.int), nil)
        }
        let range = item.expression.range
        let expression: BoundExpression
        switch try binder.operand(item.expression) {
        case .many(let path), .collection(let path, _): expression = .mapped(path)
        case .elements(let computed), .single(let computed): expression = computed.expression
        case let operand:
            throw binder.typeError(
                "each needs values of the objects, not \(binder.describe(operand))", range)
        }
        if case .mapped(let path) = expression, case .object = path.terminal {
            throw binder.typeError(
                "these objects are no values", range,
                hint: "name one of their properties, such as \(binder.typed(range)).name")
        }
        return BoundUnnest.Column(item.alias ?? name(item, expression), expression)
    }

    /// Returns the name of an item without an alias: the path as it was written.
    private func name(_ item: ProjectionItem, _ expression: BoundExpression) -> String {
        if case .path(let path) = item.expression { return path.outputText }
        return binder.name(of: item.expression, expression)
    }
}
