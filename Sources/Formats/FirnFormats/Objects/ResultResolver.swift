import FirnCodec
package import FirnEngine
package import FirnQuery
import FirnValues

/// Converts a result so that each value can be written on its own: links become keys; collections,
/// Any and embedded objects become JSON texts.
///
/// A result without any of these is not changed.
package struct ResultResolver {
    private enum Plan {
        case unchanged
        /// A link that is converted to the key of its target, which always has a key.
        case key(PropertySchema, ClassSchema)
        case text
    }

    /// The columns of the converted result.
    package let columns: [ResultColumn]
    private let source: [ResultColumn]
    private let plans: [Plan]
    private let renderer: ValueRenderer

    package init(
        _ columns: [ResultColumn], lookup: any ObjectLookup,
        _ options: ValueOptions = ValueOptions()
    ) {
        source = columns
        renderer = ValueRenderer(lookup: lookup, options: options)
        let plans = columns.map { column in
            options.keepsValues
                ? .unchanged
                : ResultResolver.plan(column, schema: lookup.schema, depth: options.depth)
        }
        self.plans = plans
        self.columns = zip(columns, plans).map { column, plan in
            guard case .key(let key, _) = plan else { return column }
            let type = PropertyType(
                key.type.base, isOptional: true, integerWidth: key.type.integerWidth)
            return ResultColumn(name: column.name, type: type, display: nil)
        }
    }

    private static func plan(_ column: ResultColumn, schema: Schema, depth: Int) -> Plan {
        let type = column.type
        guard type.container == .single, type.base != .any else { return .text }
        guard type.base == .link else { return .unchanged }
        guard let target = type.target.flatMap({ schema[$0] }) else { return .text }
        if target.isEmbedded || depth > 0 { return .text }
        guard let key = target.keyProperty else { return .unchanged }
        return key.type.isOptional ? .text : .key(key, target)
    }

    /// Returns the converted rows.
    package func resolve(_ batch: ResultBatch) throws(StoreError) -> ResultBatch {
        guard plans.contains(where: { if case .unchanged = $0 { false } else { true } }) else {
            return batch
        }
        var vectors: [ColumnVector] = []
        for (index, vector) in batch.vectors.enumerated() {
            switch plans[index] {
            case .unchanged: vectors.append(vector)
            case .key(let key, let target): vectors.append(try keys(vector, key, target))
            case .text:
                let column = source[index]
                let context = ValueRenderer.Context(
                    type: column.type, display: column.display, depth: renderer.options.depth,
                    style: renderer.options.linkStyle)
                vectors.append(
                    try renderer.texts(vector, context).vector(nullsOf: vector))
            }
        }
        return ResultBatch(rowCount: batch.rowCount, vectors: vectors)
    }

    private func keys(
        _ links: ColumnVector, _ key: PropertySchema, _ target: ClassSchema
    ) throws(StoreError) -> ColumnVector {
        let all = (0..<links.count).filter { !links.isNull($0) }
            .map { RowID(UInt64(bitPattern: links.ints[$0])) }
        let rows = ValueRenderer.distinct(all)
        var found = try renderer.lookup.column(key, of: target, rows: rows)
        // The key of a null link.
        found.appendNull()
        let indices = (0..<links.count).map { index in
            links.isNull(index)
                ? UInt32(rows.count)
                : UInt32(
                    ValueRenderer.index(
                        of: RowID(UInt64(bitPattern: links.ints[index])), in: rows))
        }
        var keys = ColumnVector(of: key.type)
        keys.append(found, rows: indices[...])
        return keys
    }
}
