import FirnEngine
import FirnValues

/// Binds `group(keys; items)`.
struct GroupBinder {
    /// A bound group with its result columns.
    struct Group {
        var keys: [BoundProjection] = []
        var items: [BoundGroupItem] = []
        var outputs: [BoundColumn] = []
    }

    let binder: Binder

    func bind(
        _ keys: [Expression], _ items: [ProjectionItem]
    ) throws(QueryError) -> Group {
        var group = Group()
        var keyNames: [String] = []
        for key in keys {
            let projection = try bind(key)
            keyNames.append(binder.name(of: key, projection.expression))
            group.keys.append(projection)
        }
        var bound: [(item: BoundGroupItem, range: SourceRange)] = []
        for item in items {
            bound.append((try bind(item, group.keys, keyNames), item.range))
        }
        // Keys that are not among the items come first.
        let shown = bound.compactMap { element -> Int? in
            if case .key(let index, _) = element.item { index } else { nil }
        }
        let range = keys.first?.range ?? SourceRange(0..<0)
        bound =
            group.keys.indices.filter { !shown.contains($0) }
            .map { (.key($0, name: keyNames[$0]), range) } + bound
        var names: Set<String> = []
        for (item, range) in bound {
            guard names.insert(item.name).inserted else {
                throw binder.typeError(
                    "two columns have the name \"\(item.name.shortened)\"", range,
                    hint: "name one of them with AS")
            }
            group.outputs.append(output(item, group))
            group.items.append(item)
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
        _ item: ProjectionItem, _ keys: [BoundProjection], _ names: [String]
    ) throws(QueryError) -> BoundGroupItem {
        if let aggregate = try ProjectionBinder(binder: binder).aggregate(item) {
            return .aggregate(aggregate)
        }
        let operand: Operand
        do { operand = try binder.operand(item.expression) } catch {
            throw error.hintingAggregate(item.expression, takesCount: true)
        }
        if case .single(let computed) = operand,
            let index = keys.firstIndex(where: { $0.expression == computed.expression })
        {
            return .key(index, name: item.alias ?? names[index])
        }
        throw binder.typeError(
            "an item of a group is one of its keys or a value over its rows", item.range,
            hint: "such as @count, or compute it in a project behind the group")
    }

    private func output(_ item: BoundGroupItem, _ group: Group) -> BoundColumn {
        let number = group.outputs.count
        switch item {
        case .key(let index, let name):
            let key = group.keys[index]
            return .output(number, name: name, type: key.type, display: key.display)
        case .aggregate(let aggregate):
            return .output(
                number, name: aggregate.name, type: aggregate.type, display: aggregate.display)
        }
    }
}

extension Binder {
    /// Returns whether a path names a column of the preceding group.
    func isOutput(_ path: Path) -> Bool {
        guard let outputs else { return false }
        let name = path.segments.map(\.outputText).joined(separator: ".")
        return outputs.contains { $0.name == name }
    }
}
