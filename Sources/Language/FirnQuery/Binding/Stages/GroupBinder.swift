import FirnEngine
import FirnSyntax
import FirnValues

/// Binds `group(keys; items)`.
struct GroupBinder {
    /// A bound group with its result columns.
    struct Group {
        var keys: [BoundProjection] = []
        var items: [BoundGroupItem] = []
        /// The columns that later stages can refer to by name.
        var outputs: [Binder.Output] = []
        /// The columns that are computed from the columns of the group; `nil` if there are none.
        var projection: [BoundProjection]?
    }

    /// A bound item.
    private struct Item {
        let name: String
        let expression: BoundExpression
        let range: SourceRange
    }

    let binder: Binder

    func bind(
        _ keys: [ProjectionItem], _ items: [ProjectionItem]
    ) throws(QueryError) -> Group {
        var group = Group()
        var names: [String] = []
        var indices: [Int] = []
        for key in keys {
            let projection = try bind(key.expression)
            // A repeated key has no effect.
            if let known = group.keys.firstIndex(where: { $0.expression == projection.expression })
            {
                indices.append(known)
                continue
            }
            indices.append(group.keys.count)
            names.append(binder.name(of: key.expression, projection.expression))
            group.keys.append(projection)
        }
        let scope = AggregateScope(
            keys: group.keys, names: names,
            keyNames: zip(keys, indices).compactMap { key, index in
                key.alias.map { (name: $0, key: index) }
            })
        var bound: [Item] = []
        for item in items { bound.append(try bind(item, scope)) }
        bound = leadingItems(zip(keys, indices), before: bound, scope) + bound
        for (index, item) in bound.enumerated()
        where bound[..<index].contains(where: { $0.name == item.name }) {
            throw binder.typeError(
                "two columns have the name \"\(item.name.shortened)\"", item.range,
                hint: "name one of them with AS")
        }
        if let plain = plainItems(bound, scope) {
            group.items = plain
            group.outputs = plain.enumerated().map { index, item in
                let column = output(index, item, group.keys)
                return Binder.Output(name: column.name, value: Computed(.column(column)))
            }
        } else {
            project(bound, scope, &group)
        }
        return group
    }

    /// Returns the columns of the keys, which come first unless an item takes their place.
    ///
    /// - Parameter keys: the keys in the order of the text, each with its index among the different
    ///   ones.
    private func leadingItems(
        _ keys: some Sequence<(ProjectionItem, Int)>, before items: [Item],
        _ scope: AggregateScope
    ) -> [Item] {
        var leading: [Item] = []
        var seen: Set<Int> = []
        for (key, index) in keys {
            let column = BoundExpression.column(scope.column(ofKey: index))
            let isPlaced = items.contains { item in
                item.expression == column
                    && (key.alias.map { item.name.utf8.elementsEqual($0.utf8) } ?? true)
            }
            if isPlaced || key.alias == nil && !seen.insert(index).inserted { continue }
            leading.append(
                Item(
                    name: key.alias ?? scope.names[index], expression: column, range: key.range))
        }
        return leading
    }

    private func bind(_ key: Expression) throws(QueryError) -> BoundProjection {
        let operand = try binder.operand(key)
        guard let computed = try binder.key(operand, of: key) else {
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

    /// Returns the name of an item without an alias: the name of its column, or its text.
    private func name(
        _ item: ProjectionItem, _ expression: BoundExpression, _ scope: AggregateScope
    ) -> String {
        guard case .column(.output(let index, let name, _, _)) = expression else {
            return binder.typed(item.range)
        }
        guard index >= scope.keys.count else {
            // A key is named like the item, which can be one of several names of it.
            if case .path(let path) = item.expression, scope.key(named: item.expression) != nil {
                return path.outputText
            }
            return name
        }
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
        group.projection = items.map { item in
            BoundProjection(
                item.expression, name: item.name, type: item.expression.type,
                display: item.expression.display)
        }
        group.outputs = items.map {
            Binder.Output(name: $0.name, value: Computed($0.expression))
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
