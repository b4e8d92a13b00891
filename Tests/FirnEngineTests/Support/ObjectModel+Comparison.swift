import FirnCodec
import FirnEngine
import FirnTesting
import FirnValues

/// Compares a snapshot with its expected content.
extension ObjectModel {
    /// Compares everything: objects and their values column by column, counts, keys, backlinks.
    func compare(
        with snapshot: Snapshot, _ generator: inout SplitMix64, what: String
    ) throws {
        guard snapshot.schema == schema else {
            throw TestFailure("\(what): the classes are not those of the model")
        }
        for type in schema.classes {
            guard let table = snapshot.table(type.id) else {
                throw TestFailure("\(what): class \(type.name) is missing")
            }
            try compareRows(of: type, table, what)
            try compareSingleReads(of: type, snapshot, &generator, what)
            try compareKeys(of: type, table, &generator, what)
            for property in type.properties where property.mayLink {
                try compareSources(of: property, type, snapshot, &generator, what)
            }
        }
    }

    private func compareRows(of type: ClassSchema, _ table: Table, _ what: String) throws {
        let rows = objects(type.id).rows
        guard table.liveRowCount == rows.count else {
            throw TestFailure(
                "\(what): \(type.name) counts \(table.liveRowCount) objects, not \(rows.count)")
        }
        var seen = 0
        var last: RowID?
        let picker = PagePicker()
        for group in try table.rowGroups() {
            let live = try group.liveRows()?.array ?? []
            let ids = try (0..<group.rowCount).map { try group.rowID(at: $0) }
            for (row, id) in ids.enumerated() where live.isEmpty || live[row] {
                guard rows[id] != nil, last.map({ $0 < id }) ?? true else {
                    throw TestFailure("\(what): \(type.name) has @id \(id.rawValue)")
                }
                last = id
                seen += 1
            }
            for property in type.properties {
                try comparePicked(property, type, group, live, ids, picker, what)
                try compare(property, type, group, live, ids, rows, what)
            }
        }
        guard seen == rows.count else {
            throw TestFailure("\(what): \(seen) of \(rows.count) objects of \(type.name)")
        }
    }

    /// Compares single reads of a cursor, of objects in any order.
    private func compareSingleReads(
        of type: ClassSchema, _ snapshot: Snapshot, _ generator: inout SplitMix64, _ what: String
    ) throws {
        guard let cursor = ObjectCursor(snapshot, type.id) else {
            throw TestFailure("\(what): class \(type.name) has no cursor")
        }
        let rows = objects(type.id).rows
        let end = (rows.keys.max()?.rawValue ?? 0) + 3
        for id in (0..<end).shuffled(using: &generator).prefix(60).map({ RowID($0) }) {
            guard try cursor.move(to: id) == (rows[id] != nil) else {
                throw TestFailure("\(what): a cursor errs about \(type.name) \(id.rawValue)")
            }
            guard let values = rows[id] else { continue }
            for (place, property) in type.properties.enumerated() {
                let wanted = values[property.id] ?? .null
                let found = try cursor.value(place)
                guard found == wanted, try cursor.isNil(place) == wanted.isNull,
                    try cursor.agrees(place, with: wanted)
                else {
                    throw TestFailure(
                        "\(what): a cursor reads \(type.name).\(property.name) of @id "
                            + "\(id.rawValue) as \(found.summary), not \(wanted.summary)")
                }
            }
        }
    }

    private func compare(
        _ property: PropertySchema, _ type: ClassSchema, _ group: RowGroupView, _ live: [Bool],
        _ ids: [RowID], _ rows: [RowID: [PropertyID: Value]], _ what: String
    ) throws {
        let collection = property.type.container == .single ? nil : try group.collection(property)
        let column = collection == nil ? try group.column(property) : nil
        for (row, id) in ids.enumerated() where live.isEmpty || live[row] {
            let found =
                try collection?.value(at: row)
                ?? property.type.fromColumn(column?.value(at: row) ?? .null)
            let wanted = rows[id]?[property.id] ?? .null
            guard found == wanted else {
                throw TestFailure(
                    "\(what): \(type.name).\(property.name) of @id \(id.rawValue) is "
                        + "\(found.summary), not \(wanted.summary)")
            }
            if let collection, collection.count(at: row) != wanted.size {
                throw TestFailure("\(what): \(type.name).\(property.name) miscounts its elements")
            }
        }
    }

    /// Compares a few rows that are read without the whole page.
    private func comparePicked(
        _ property: PropertySchema, _ type: ClassSchema, _ group: RowGroupView, _ live: [Bool],
        _ ids: [RowID], _ picker: PagePicker, _ what: String
    ) throws {
        guard property.type.container == .single else { return }
        let existing = ids.indices.filter { live.isEmpty || live[$0] }.suffix(5).reversed()
        var vector = ColumnVector(kind: property.columnKind)
        let isPicked = try group.pick(
            existing.map { UInt32($0) }, of: property, with: picker, to: &vector)
        guard isPicked else { return }
        let rows = objects(type.id).rows
        for (position, row) in existing.enumerated() {
            let found = property.type.fromColumn(vector.value(at: position))
            let wanted = rows[ids[row]]?[property.id] ?? .null
            guard found == wanted else {
                throw TestFailure(
                    "\(what): \(type.name).\(property.name) of @id \(ids[row].rawValue) is picked "
                        + "as \(found.summary), not \(wanted.summary)")
            }
        }
    }

    private func compareKeys(
        of type: ClassSchema, _ table: Table, _ generator: inout SplitMix64, _ what: String
    ) throws {
        guard let property = type.keyProperty else { return }
        let key = property.id
        let rows = objects(type.id).rows
        for id in rows.keys.sorted() where generator.happens(oneIn: 4) {
            guard let value = rows[id]?[key] else { continue }
            guard try table.row(forKey: value) == id else {
                throw TestFailure("\(what): \(type.name) does not find \(value) at \(id.rawValue)")
            }
        }
        for attempt in 0..<4 {
            let absent =
                attempt == 0 ? .null : Generated.key(property.type.base, &generator)
            let found = try table.row(forKey: absent)
            guard found == row(forKey: absent, in: type) else {
                throw TestFailure(
                    "\(what): \(type.name) finds \(absent) at \(found?.rawValue ?? 0)")
            }
        }
    }

    private func compareSources(
        of property: PropertySchema, _ type: ClassSchema, _ snapshot: Snapshot,
        _ generator: inout SplitMix64, _ what: String
    ) throws {
        let sources = sources(of: property, in: type.id)
        for target in schema.classes
        where property.type.target == target.id
            || (property.type.base == .any && !target.isEmbedded)
        {
            // Sometimes few, so that both ways of using the index are tested; some do not exist.
            let next = objects(target.id).nextRowID
            let few = generator.happens(oneIn: 2)
            let targets = (0..<(next + 2)).filter { _ in !few || generator.happens(oneIn: 16) }
                .map { RowID($0) }
            let found = try snapshot.sources(
                of: targets, in: target.id, through: property, of: type)
            guard found.offsets.count == targets.count + 1 else {
                throw TestFailure("\(what): not one answer for each target")
            }
            for (index, row) in targets.enumerated() {
                let reference = ObjectReference(classID: target.id, rowID: row)
                guard Array(found[index]) == sources[reference] ?? [] else {
                    throw TestFailure(
                        "\(what): \(found[index].map(\.rawValue)) link to \(target.name) "
                            + "\(row.rawValue) by \(type.name).\(property.name), not "
                            + "\((sources[reference] ?? []).map(\.rawValue))")
                }
            }
        }
    }

    /// Compares one object as the transaction sees it.
    func compare(
        _ row: RowID, in type: ClassSchema, with transaction: WriteTransaction, what: String
    ) throws {
        let found = try transaction.values(of: row, in: type.id)
        let wanted = objects(type.id).rows[row].map { values in
            type.properties.map { values[$0.id] ?? .null }
        }
        guard found == wanted else {
            for (index, property) in type.properties.enumerated()
            where found?[index] != wanted?[index] {
                throw TestFailure(
                    "\(what): the transaction has \(type.name).\(property.name) of @id "
                        + "\(row.rawValue) as \(found?[index].summary ?? "nothing"), not "
                        + "\(wanted?[index].summary ?? "nothing")")
            }
            throw TestFailure("\(what): \(type.name) \(row.rawValue)")
        }
    }
}

extension Bitmap {
    fileprivate var array: [Bool] { (0..<count).map { self[$0] } }
}

extension Value {
    /// Short enough for a message about a failure.
    var summary: String {
        let text = "\(self)"
        return text.count > 300 ? "\(text.prefix(150))...\(text.suffix(150)) (\(size))" : text
    }
}

extension ObjectCursor {
    /// Whether the reads of single types agree with a value: that of its type returns it, the
    /// others return nothing.
    fileprivate func agrees(_ place: Int, with value: Value) throws -> Bool {
        let reads: [Value?] = [
            try int(place).map { .int($0) }, try bool(place).map { .bool($0) },
            try double(place).map { .double($0) }, try float(place).map { .float($0) },
            try date(place).map { .date($0) }, try string(place).map { .string($0) },
            try link(place).map { .link($0) },
        ]
        let found = reads.compactMap { $0 }
        switch value.tag {
        case .int, .bool, .double, .float, .date, .string, .link: return found == [value]
        default: return found.isEmpty
        }
    }
}
