import FirnCodec
import FirnEngine
import FirnSyntax
import FirnValues

/// Computes the values that an assignment gives to objects.
struct AssignedValues {
    let place: BoundMutation.Place
    /// The assigned value, if it is the same for all objects.
    private let constant: Value?
    private let expression: BoundExpression
    private let fitting: FittingValue
    private let evaluator: ExpressionEvaluator

    /// - Throws: ``QueryFailure`` at the assignment if it refers to an object that does not exist.
    init(
        _ assigned: BoundMutation.Assigned, _ query: BoundQuery, _ reader: SnapshotReader
    ) throws(QueryFailure) {
        place = assigned.place
        fitting = FittingValue(property: assigned.place.value, range: assigned.range)
        evaluator = try QueryFailure.converting(
            ExpressionEvaluator(
                source: try reader.scanner(of: query.classSchema), reader: reader))
        switch assigned.content {
        case .expression(.constant(let value)):
            (constant, expression) = (value, .constant(.null))
        case .expression(let computed):
            (constant, expression) = (nil, computed)
        case .object(let object):
            constant = try AssignedValues.link(to: object, reader, assigned)
            expression = .constant(.null)
        case .objects(let objects):
            var links: [Value] = []
            for object in objects {
                links.append(try AssignedValues.link(to: object, reader, assigned))
            }
            do {
                constant = try fitting.value(.list(links), of: assigned.place.property.type)
            } catch {
                throw .query(error)
            }
            expression = .constant(.null)
        }
    }

    /// Whether nothing depends on the objects: neither the value, nor whether they have the place
    /// to be changed.
    var isConstant: Bool {
        guard constant != nil, place.owner == nil else { return false }
        if case .position = place.element { return false }
        return true
    }

    /// Returns the value that identifies an object, in the type of the property; `nil` if the
    /// property cannot have an equal value.
    private static func exact(_ object: BoundObject, _ range: SourceRange) -> Value? {
        let property = object.property
        let fitting = FittingValue(property: property, range: range)
        guard let value = try? fitting.value(object.value, of: property.type),
            value.order(relativeTo: object.value) == .equal
        else { return nil }
        return value
    }

    private static func link(
        to object: BoundObject, _ reader: SnapshotReader, _ assigned: BoundMutation.Assigned
    ) throws(QueryFailure) -> Value {
        let target = object.target
        let row = try QueryFailure.converting { () throws(StoreError) -> RowID? in
            guard let value = exact(object, assigned.range) else { return nil }
            let lookup = try ValueLookup(try reader.table(target), on: [object.property.id])
            return try lookup?.rows(with: [value], limit: 1).first
        }
        guard let row else {
            let isKey = object.property.id == target.key
            let property = isKey ? "key" : Canonical.name(object.property.name)
            throw .query(
                QueryError(
                    .value,
                    "there is no \(target.name) with the \(property) \(object.value.quoted)",
                    at: assigned.range.bytes))
        }
        return .link(ObjectReference(classID: target.id, rowID: row))
    }

    /// New values that differ from the current ones, and the positions of their objects.
    struct Changes {
        enum Content {
            /// In the form of columns.
            case vector(ColumnVector)
            case values([Value])
        }

        let positions: [UInt32]
        let content: Content
        /// The embedded objects that change, one for each position; `nil` for the objects themselves.
        var owners: [RowID]?

        /// The memory of the values in bytes.
        var byteCount: Int {
            let own =
                positions.count * MemoryLayout<UInt32>.stride
                + (owners?.count ?? 0) * MemoryLayout<RowID>.stride
            switch content {
            case .vector(let vector): return own + vector.valueByteCount
            case .values(let values): return values.reduce(own) { $0 + $1.approximateByteCount }
            }
        }
    }

    /// Returns the new values that differ from the current ones.
    ///
    /// - Throws: ``QueryFailure`` at the assignment if a value does not fit the property.
    func changes(of rows: BatchRows) throws(QueryFailure) -> Changes {
        let owners = try owners(of: rows)
        try checkPosition(in: rows)
        var changes = try valueChanges(of: rows)
        changes.owners = owners.map { owners in changes.positions.map { owners[Int($0)] } }
        return changes
    }

    /// Returns the embedded objects that have the property; `nil` for the objects themselves.
    private func owners(of rows: BatchRows) throws(QueryFailure) -> [RowID]? {
        guard let path = place.owner else { return nil }
        let vector = try QueryFailure.converting(evaluator.values(.path(path), of: rows))
        var owners: [RowID] = []
        owners.reserveCapacity(vector.count)
        for index in 0..<vector.count {
            guard case .int(let row) = vector.value(at: index) else {
                throw .query(
                    QueryError(
                        .value, "\"\(path.name.shortened)\" is nil in an object that matches",
                        at: place.range.bytes,
                        hint: "set only those that have one: \(path.name) != nil"))
            }
            owners.append(RowID(UInt64(bitPattern: row)))
        }
        return owners
    }

    /// Throws an error if a list is too short for the position.
    private func checkPosition(in rows: BatchRows) throws(QueryFailure) {
        guard case .position(let position, let expression) = place.element else { return }
        let counts = try QueryFailure.converting(evaluator.values(expression, of: rows))
        for index in 0..<counts.count {
            guard case .int(let count) = counts.value(at: index), count > position else {
                throw .query(
                    QueryError(
                        .value,
                        "\"\(place.name.shortened)\" does not exist in an object that matches",
                        at: place.range.bytes,
                        hint: "set only those that have it: \(expression.description) > \(position)"
                    ))
            }
        }
    }

    private func valueChanges(of rows: BatchRows) throws(QueryFailure) -> Changes {
        let (before, after) = try QueryFailure.converting(
            (
                try evaluator.values(place.current, of: rows),
                constant == nil ? try computed(rows) : nil
            ))
        let marks = try keyMarks(of: rows, before, after)
        do throws(QueryError) {
            guard before.isComparedByBytes, !place.property.mayLink, place.element == nil,
                let vector = try vector(after, count: rows.count, kind: before.kind)
            else {
                return try valueChanges(before, after, hasKey: marks)
            }
            let positions = vector.differences(from: before)
            return Changes(
                positions: positions,
                content: .vector(
                    positions.count == vector.count ? vector : vector.picking(positions)))
        } catch {
            throw .query(error)
        }
    }

    /// Returns the new values in the form of the column, or `nil` if they have to be converted one by
    /// one.
    private func vector(
        _ computed: ColumnVector?, count: Int, kind: ValueTag
    ) throws(QueryError) -> ColumnVector? {
        if let computed { return try fitting.vector(computed) }
        guard let constant, constant.isNull || constant.tag == kind else { return nil }
        return ColumnVector(repeating: constant, kind: kind, count: count)
    }

    /// - Parameter hasKey: whether each map already has the key; `nil` if it does not matter.
    private func valueChanges(
        _ before: ColumnVector, _ after: ColumnVector?, hasKey: [Bool]?
    ) throws(QueryError) -> Changes {
        var positions: [UInt32] = []
        var values: [Value] = []
        let type = expression.vectorType
        for index in 0..<before.count {
            let value: Value
            if let constant {
                value = constant
            } else {
                value = try fitting.value(after?.value(at: index) ?? .null, of: type)
            }
            let old = stored(before.value(at: index))
            if value.isNull, place.needsObject {
                throw QueryError(
                    .value,
                    "\(place.name.shortened) must have a value, and this is nil for an object",
                    at: fitting.range.bytes)
            }
            guard old != value || hasKey?[index] == false else { continue }
            positions.append(UInt32(truncatingIfNeeded: index))
            values.append(value)
        }
        return Changes(positions: positions, content: .values(values))
    }

    /// Returns whether each map has the key that is set; `nil` if the values alone tell whether it
    /// changes.
    ///
    /// A key with nil and a key that is not there have the same value.
    private func keyMarks(
        of rows: BatchRows, _ before: ColumnVector, _ after: ColumnVector?
    ) throws(QueryFailure) -> [Bool]? {
        guard case .key(let key, let map) = place.element,
            (0..<before.count).contains(where: { index in
                (constant ?? after?.value(at: index) ?? .null).isNull
                    && before.value(at: index).isNull
            })
        else { return nil }
        let maps = try QueryFailure.converting(evaluator.values(map, of: rows))
        return (0..<maps.count).map { index in
            guard case .map(let entries) = maps.value(at: index) else { return false }
            return entries[key] != nil
        }
    }

    private func computed(_ rows: BatchRows) throws(StoreError) -> ColumnVector {
        var vector = ColumnVector(of: expression.vectorType)
        try evaluator.append(expression, of: rows, into: &vector)
        return vector
    }

    /// Returns a value in the form in which the property stores it.
    private func stored(_ value: Value) -> Value {
        let type = place.value.type
        switch value {
        case .list(let elements) where type.container != .single:
            return .list(elements.map { type.fromColumn($0) })
        case .set(let elements) where type.container != .single:
            return .set(elements.map { type.fromColumn($0) })
        case .map(let entries) where type.container != .single:
            return .map(entries.mapValues { type.fromColumn($0) })
        default: return type.fromColumn(value)
        }
    }
}
