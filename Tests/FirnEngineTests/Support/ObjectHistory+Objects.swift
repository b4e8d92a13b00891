import FirnEngine
import FirnTesting
import FirnValues

/// Random changes of objects.
extension ObjectHistory {
    func operate(_ transaction: WriteTransaction) throws {
        switch generator.next() % 200 {
        case 0..<50: try create(transaction)
        case 50..<65: try put(transaction)
        case 65..<105: try set(transaction)
        case 105..<160: try edit(transaction)
        case 160..<162: try deleteMany(transaction)
        case 162..<184: try deleteOne(transaction)
        case 184..<194: try makeMistake(transaction)
        case 194..<197: try changeSchema(transaction)
        case 197: try fill(transaction)
        default: try load(transaction)
        }
    }

    /// A new key: mostly ascending for a while, then random, so that both kinds of index are used.
    private func newKey(_ property: PropertySchema) -> Value {
        if operationCount / 700 % 2 == 0, !generator.happens(oneIn: 60) {
            nextKey += Int64(generator.next() % 3) + 1
            return Generated.key(property.type.base, nextKey + 5000)
        }
        return Generated.key(of: property, &generator)
    }

    private func randomValues(
        _ type: ClassSchema, _ transaction: WriteTransaction
    ) throws -> [Value] {
        try type.properties.map { property in
            if property.id == type.key { return newKey(property) }
            return try randomValue(property, transaction)
        }
    }

    private func create(_ transaction: WriteTransaction) throws {
        guard let type = randomClass() else { return }
        if model.objects(type.id).rows.count > population { return try deleteOne(transaction) }
        let values = try randomValues(type, transaction)
        let isTaken =
            type.key.flatMap { type.index(of: $0) }
            .map { model.row(forKey: values[$0], in: type) != nil } ?? false
        if isTaken {
            try refuse(.duplicateKey, "a taken key of \(type.name)", transaction) {
                try transaction.create(in: type.id, values)
            }
            try dropOrphans(transaction)
            return
        }
        var row = RowID(model.objects(type.id).nextRowID)
        if generator.happens(oneIn: 12) { row = RowID(row.rawValue + 1 + generator.next() % 5) }
        note("create \(type.name) \(row.rawValue)")
        let made = try transaction.create(in: type.id, values, at: row)
        guard made == row else { throw TestFailure("another @id than was asked for") }
        model.create(values, at: row, in: type)
    }

    /// Objects created for a refused operation must not remain.
    private func dropOrphans(_ transaction: WriteTransaction) throws {
        for orphan in model.orphans.sorted(by: {
            ($0.classID, $0.rowID) < ($1.classID, $1.rowID)
        }) where model.exists(orphan) {
            try transaction.delete(orphan.rowID, in: orphan.classID)
            model.delete([orphan])
        }
    }

    private func put(_ transaction: WriteTransaction) throws {
        guard let type = randomClass(), let key = type.keyProperty,
            let policy = PutPolicy.allCases.randomElement(using: &generator)
        else { return }
        var value = newKey(key)
        if generator.happens(oneIn: 2), let row = randomRow(type) {
            value = model.value(key.id, of: row, in: type.id)
        }
        // An omitted key is nil.
        let isSaid = !value.isNull || generator.happens(oneIn: 2)
        var fields = isSaid ? [(property: key.id, value: value)] : []
        for property in type.properties where property.id != key.id {
            let isNeeded = !property.type.mayBeNull && property.type.container == .single
            guard generator.happens(oneIn: 2) || isNeeded else { continue }
            fields.append((property.id, try randomValue(property, transaction)))
        }
        let existing = model.row(forKey: value, in: type)
        note("put \(policy) \(type.name) \(existing?.rawValue ?? 0)")
        switch (policy, existing) {
        case (.insert, .some):
            try refuse(.duplicateKey, "put of a taken key", transaction) {
                _ = try transaction.put(fields, in: type.id, policy: policy)
            }
            return try dropOrphans(transaction)
        case (.update, nil):
            try refuse(.unknownObject, "put of an absent key", transaction) {
                _ = try transaction.put(fields, in: type.id, policy: policy)
            }
            return try dropOrphans(transaction)
        default: break
        }
        let outcome = try transaction.put(fields, in: type.id, policy: policy)
        let given = Dictionary(uniqueKeysWithValues: fields.map { ($0.property, $0.value) })
        guard let existing else {
            let values = type.properties.map { given[$0.id] ?? $0.type.emptyCollection }
            guard outcome.effect == .inserted else { throw TestFailure("put did not insert") }
            return model.create(values, at: outcome.row, in: type)
        }
        var isChanged = false
        for property in type.properties where property.id != key.id {
            guard
                let value = given[property.id]
                    ?? (policy == .replace ? property.type.emptyCollection : nil)
            else { continue }
            if model.value(property.id, of: existing, in: type.id) != property.stored(value) {
                isChanged = true
            }
            // An object with a link to a deleted object is changed before it is examined.
            model.set(property, of: existing, in: type.id, to: value)
        }
        guard outcome.row == existing, outcome.effect == (isChanged ? .updated : .unchanged) else {
            throw TestFailure("put: \(outcome), though \(isChanged)")
        }
    }

    private func set(_ transaction: WriteTransaction) throws {
        guard let type = randomClass(embedded: nil), let row = randomRow(type),
            let property = type.properties.randomElement(using: &generator)
        else { return }
        var value: Value
        if property.id == type.key {
            value = newKey(property)
            if let other = model.row(forKey: value, in: type), other != row {
                return try refuse(.duplicateKey, "a move to a taken key", transaction) {
                    try transaction.set(property.id, of: row, in: type.id, to: value)
                }
            }
        } else {
            value = try randomValue(
                property, transaction, mayBeLarge: generator.happens(oneIn: 150))
        }
        guard model.exists(ObjectReference(classID: type.id, rowID: row)) else { return }
        note("set \(type.name).\(property.name) \(row.rawValue): \(value.summary)")
        try transaction.set(property.id, of: row, in: type.id, to: value)
        model.set(property, of: row, in: type.id, to: value)
    }

    // MARK: Collections

    private func edit(_ transaction: WriteTransaction) throws {
        guard let type = randomClass(embedded: nil), let row = randomRow(type),
            let property = type.properties.filter({ $0.type.container != .single })
                .randomElement(using: &generator)
        else { return }
        // Some grow past the limit and shrink again.
        if generator.happens(oneIn: 120), !schema.isOwning(property) {
            let value = try randomValue(property, transaction, mayBeLarge: true)
            note("grow \(type.name).\(property.name) \(row.rawValue) to \(value.size)")
            try transaction.set(property.id, of: row, in: type.id, to: value)
            model.set(property, of: row, in: type.id, to: value)
            for _ in 0..<10 { try editOnce(property, row, type, transaction) }
            if generator.happens(oneIn: 3) { try cut(property, row, type, transaction) }
            return
        }
        try editOnce(property, row, type, transaction)
    }

    private func editOnce(
        _ property: PropertySchema, _ row: RowID, _ type: ClassSchema,
        _ transaction: WriteTransaction
    ) throws {
        let change = try randomEdit(property, row, type, transaction)
        guard let change else { return }
        try apply(change, property, row, type, transaction)
    }

    /// Removes elements until few are left.
    private func cut(
        _ property: PropertySchema, _ row: RowID, _ type: ClassSchema,
        _ transaction: WriteTransaction
    ) throws {
        let wanted = Int.random(in: 0...900, using: &generator)
        while case let old = model.value(property.id, of: row, in: type.id), old.size > wanted {
            let change: CollectionEdit
            switch old {
            case .list(let values):
                change = .remove(Int.random(in: 0..<values.count, using: &generator))
            case .set(let values): change = .discard(Generated.pick(values, &generator))
            case .map(let entries): change = .drop(entries.keys.min() ?? "")
            default: return
            }
            try apply(change, property, row, type, transaction)
        }
    }

    private func apply(
        _ change: CollectionEdit, _ property: PropertySchema, _ row: RowID, _ type: ClassSchema,
        _ transaction: WriteTransaction
    ) throws {
        let old = model.value(property.id, of: row, in: type.id)
        guard let new = old.edited(change) else {
            try refuse(.invalidValue, "\(change) of \(old.size)", transaction) {
                try transaction.edit(property.id, of: row, in: type.id, change)
            }
            return try dropOrphans(transaction)
        }
        note("edit \(type.name).\(property.name) \(row.rawValue) of \(old.size): \(change)")
        try transaction.edit(property.id, of: row, in: type.id, change)
        model.set(property, of: row, in: type.id, to: new)
    }

    private func randomEdit(
        _ property: PropertySchema, _ row: RowID, _ type: ClassSchema,
        _ transaction: WriteTransaction
    ) throws -> CollectionEdit? {
        let old = model.value(property.id, of: row, in: type.id)
        let count = old.size
        // Sometimes one past the end.
        let slack = generator.happens(oneIn: 12) ? 3 : 0
        func position() -> Int { Int.random(in: 0...max(0, count - 1 + slack), using: &generator) }
        if generator.happens(oneIn: 60) { return .clear }
        let choice = generator.next() % 6
        switch property.type.container {
        case .single: return nil
        case .list:
            if choice == 3 { return .remove(position()) }
            if choice == 4 { return .move(from: position(), to: position()) }
            let value = try randomElement(property, transaction)
            guard !value.isNull || property.type.mayBeNull else { return nil }
            switch choice {
            case 0: return .append(value)
            case 1: return .insert(Int.random(in: 0...(count + slack), using: &generator), value)
            default: return .replace(position(), value)
            }
        case .set:
            if choice < 2, case .set(let values) = old, !values.isEmpty {
                return .discard(Generated.pick(values, &generator))
            }
            let value = try randomElement(property, transaction)
            guard !value.isNull || property.type.mayBeNull else { return nil }
            return choice == 2 ? .discard(value) : .add(value)
        case .map:
            let key =
                count > 100
                ? "m\(generator.next() % 1200)"
                : Generated.pick(["a", "b", "", "\u{E9}", "z z"], &generator)
            if choice < 2 { return .drop(key) }
            return .put(key, try randomElement(property, transaction))
        }
    }

    // MARK: Deleting

    private func deleteOne(_ transaction: WriteTransaction) throws {
        guard let type = randomClass(embedded: generator.happens(oneIn: 8) ? nil : false),
            let row = randomRow(type)
        else { return }
        note("delete \(type.name) \(row.rawValue)")
        try transaction.delete(row, in: type.id)
        model.delete([ObjectReference(classID: type.id, rowID: row)])
    }

    private func deleteMany(_ transaction: WriteTransaction) throws {
        guard let type = randomClass() else { return }
        let rows = model.objects(type.id).rows.keys.sorted()
            .filter { _ in generator.happens(oneIn: 3) }
        note("delete \(type.name) \(rows.map(\.rawValue))")
        try transaction.delete(rows, in: type.id)
        model.delete(rows.map { ObjectReference(classID: type.id, rowID: $0) })
    }
}
