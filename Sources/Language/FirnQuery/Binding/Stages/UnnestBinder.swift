import FirnEngine
import FirnSyntax
import FirnValues

/// Binds `each(items)`.
struct UnnestBinder {
    private static let listedCountMax = 1_000

    let binder: Binder
    /// The columns of the preceding rows; `nil` if they are the properties of the objects.
    let projection: [BoundProjection]?

    /// - Returns: The stage. Its columns are the single values of the preceding rows, except those
    ///   that an item replaces, followed by the items.
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
        let hasElements = columns.contains { column in
            switch column.content {
            case .element, .listed: true
            case .input, .position: false
            }
        }
        guard hasElements else {
            throw binder.typeError(
                "each needs a list, a set or a map", range, hint: "such as each(tags)")
        }
        // Like a collection, a listed column is replaced by its elements.
        let listed = columns.flatMap { $0.content.listed }.filter { value in
            if case .constant = value { false } else { true }
        }
        let before =
            projection
            ?? binder.classSchema.properties.map {
                BoundProjection(whole: $0, of: binder.classSchema)
            }
        let own = before.filter { column in
            column.type.container == .single && column.expression.elementPath == nil
                && !listed.contains(column.expression)
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
        if case .list(let elements, _) = item.expression {
            return try listed(elements, named: item.alias ?? binder.typed(item.range), range)
        }
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
                "these objects are not values", range,
                hint: "name one of their properties, such as \(binder.typed(range)).name")
        }
        return BoundUnnest.Column(item.alias ?? name(item, expression), expression)
    }

    /// Binds a list of values of each object, such as `{jan, feb}`.
    private func listed(
        _ elements: [Expression], named name: String, _ range: SourceRange
    ) throws(QueryError) -> BoundUnnest.Column {
        guard (1...Self.listedCountMax).contains(elements.count) else {
            throw binder.typeError(
                "a list of each has 1 to \(Self.listedCountMax) values", range,
                hint: "such as each({jan, feb} AS sales)")
        }
        var values: [Computed] = []
        for element in elements {
            let value = try binder.computed(try binder.operand(element), element.range)
            if let other = values[...].firstUnlike(value) {
                throw binder.typeError(
                    "the values have different types: \(binder.typeName(other.type)) and "
                        + binder.typeName(value.type), element.range,
                    hint: "convert one of them, such as text(\(binder.typed(element.range)))")
            }
            values.append(value)
        }
        return BoundUnnest.Column(name, listed: values.map(\.expression))
    }

    /// Returns the name of an item without an alias: the path as it was written.
    private func name(_ item: ProjectionItem, _ expression: BoundExpression) -> String {
        if case .path(let path) = item.expression { return path.outputText }
        return binder.name(of: item.expression, expression)
    }
}
