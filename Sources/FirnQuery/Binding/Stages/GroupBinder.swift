import FirnEngine
import FirnValues

/// Binds `group(keys; items)`.
struct GroupBinder {
    /// A bound group with its result columns.
    struct Group {
        var keys: [BoundProjection] = []
        var items: [BoundGroupItem] = []
        /// The columns that later stages can refer to by name.
        var outputs: [BoundColumn] = []
        /// The columns that are computed from those of the group; `nil` if none is.
        var projection: [BoundProjection]?
        /// The names of computed columns.
        var aliases: TextMap<Binder.Alias> = [:]
    }

    /// A bound item.
    private struct Item {
        let name: String
        let expression: BoundExpression
        let range: SourceRange
    }

    let binder: Binder

    func bind(
        _ keys: [Expression], _ items: [ProjectionItem]
    ) throws(QueryError) -> Group {
        var group = Group()
        var names: [String] = []
        var indices: [Int] = []
        for key in keys {
            let projection = try bind(key)
            // A repeated key has no effect.
            if let known = group.keys.firstIndex(where: { $0.expression == projection.expression })
            {
                indices.append(known)
                continue
            }
            indices.append(group.keys.count)
            names.append(binder.name(of: key, projection.expression))
            group.keys.append(projection)
        }
        let scope = AggregateScope(keys: group.keys, names: names)
        for item in items {
            guard let alias = item.alias, let key = keys.firstIndex(of: item.expression) else {
                continue
            }
            scope.keyNames[alias] = indices[key]
        }
        var bound: [Item] = []
        for item in items { bound.append(try bind(item, scope)) }
        // Keys that are not among the items come first.
        let range = keys.first?.range ?? SourceRange(0..<0)
        let hidden = group.keys.indices.map { scope.column(ofKey: $0) }
            .filter { column in !bound.contains { $0.expression == .column(column) } }
        bound =
            hidden.map { Item(name: $0.name, expression: .column($0), range: range) } + bound
        var used: TextSet = []
        for item in bound {
            guard used.insert(item.name).inserted else {
                throw binder.typeError(
                    "two columns have the name \"\(item.name.shortened)\"", item.range,
                    hint: "name one of them with AS")
            }
        }
        if let plain = plainItems(bound, scope) {
            group.items = plain
            group.outputs = plain.indices.map { output($0, plain[$0], group.keys) }
        } else {
            project(bound, scope, &group)
        }
        return group
    }

    private func bind(_ key: Expression) throws(QueryError) -> BoundProjection {
        let operand = try binder.operand(key)
        guard case .single(let computed) = operand else {
            throw binder.typeError(
                "group needs one value for each object, not \(binder.describe(operand))",
                key.range)
        }
        return BoundProjection(
            computed.expression, name: computed.expression.defaultName, type: computed.type,
            display: computed.expression.display)
    }

    private func bind(
        _ item: ProjectionItem, _ scope: AggregateScope
    ) throws(QueryError) -> Item {
        var scoped = binder
        scoped.aggregateScope = scope
        scope.itemRange = item.range
        let operand: Operand
        do { operand = try scoped.operand(item.expression) } catch {
            throw error.hintingAggregate(item.expression, takesCount: !scope.keys.isEmpty)
        }
        let computed: Computed
        switch operand {
        case .single(let value): computed = value
        default: computed = try binder.computed(operand, item.expression.range)
        }
        return Item(
            name: item.alias ?? name(item, computed.expression, scope),
            expression: computed.expression, range: item.range)
    }

    /// Returns the name of an item without an alias: that of its column, or its text.
    private func name(
        _ item: ProjectionItem, _ expression: BoundExpression, _ scope: AggregateScope
    ) -> String {
        guard case .column(.output(let index, let name, _, _)) = expression else {
            return binder.typed(item.range)
        }
        guard index >= scope.keys.count else { return name }
        let aggregate = scope.aggregates[index - scope.keys.count]
        return aggregate.isWrittenAsPath ? name : binder.typed(item.range)
    }

    // MARK: Columns

    /// Returns the items of the group; `nil` if an item is computed from several columns.
    private func plainItems(_ items: [Item], _ scope: AggregateScope) -> [BoundGroupItem]? {
        var plain: [BoundGroupItem] = []
        for item in items {
            guard case .column(.output(let index, _, _, _)) = item.expression else { return nil }
            let keyCount = scope.keys.count
            plain.append(
                index < keyCount
                    ? .key(index, name: item.name)
                    : .aggregate(scope.aggregates[index - keyCount].renamed(item.name)))
        }
        return plain
    }

    /// Creates a group of all keys and aggregates, and the columns that are computed from them.
    private func project(_ items: [Item], _ scope: AggregateScope, _ group: inout Group) {
        group.items =
            group.keys.indices.map { .key($0, name: scope.names[$0]) }
            + scope.aggregates.map { .aggregate($0) }
        // A column that is only computed with has no name: a later `@count` counts the groups.
        group.outputs = items.compactMap { item in
            guard case .column(.output(let index, _, let type, let display)) = item.expression
            else { return nil }
            return .output(index, name: item.name, type: type, display: display)
        }
        group.projection = items.map { item in
            BoundProjection(
                item.expression, name: item.name, type: item.expression.type,
                display: item.expression.display)
        }
        for item in items {
            group.aliases[item.name] = Binder.Alias(
                operand: .single(Computed(item.expression)), path: nil)
        }
    }

    private func output(
        _ index: Int, _ item: BoundGroupItem, _ keys: [BoundProjection]
    ) -> BoundColumn {
        switch item {
        case .key(let number, let name):
            .output(index, name: name, type: keys[number].type, display: keys[number].display)
        case .aggregate(let aggregate):
            .output(
                index, name: aggregate.name, type: aggregate.type, display: aggregate.display)
        }
    }
}
