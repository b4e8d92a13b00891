import FirnEngine
import FirnTesting
import FirnValues

/// Forbidden operations: each must be refused with its own code, and change nothing.
extension ObjectHistory {
    func makeMistake(_ transaction: WriteTransaction) throws {
        guard let type = randomClass(embedded: nil), let row = randomRow(type),
            let property = type.properties.randomElement(using: &generator)
        else { return }
        switch generator.next() % 8 {
        case 0: try linkToNothing(transaction)
        case 1: try stealEmbedded(transaction)
        case 2:
            let absent = RowID(model.objects(type.id).nextRowID + 1)
            try refuse(.unknownObject, "a delete of nothing", transaction) {
                try transaction.delete([row, absent], in: type.id)
            }
            guard property.type.mayBeNull || property.type.container != .single else { return }
            try refuse(.unknownObject, "a set of nothing", transaction) {
                try transaction.set(
                    property.id, of: absent, in: type.id, to: property.type.emptyCollection)
            }
        case 3: try overflow(transaction)
        case 4:
            guard property.type.container == .single, !property.type.mayBeNull else { return }
            try refuse(.missingValue, "nil where a value must be", transaction) {
                try transaction.set(property.id, of: row, in: type.id, to: .null)
            }
        case 5:
            guard property.type.base != .any, property.type.container == .single else { return }
            let wrong = property.type.base == .bool ? Value.int(1) : .bool(true)
            try refuse(.typeMismatch, "a value of another type", transaction) {
                try transaction.set(property.id, of: row, in: type.id, to: wrong)
            }
        default:
            guard model.objects(type.id).nextRowID > 0, !type.isEmbedded else { return }
            try refuse(.invalidValue, "an @id that was used", transaction) {
                try transaction.create(
                    in: type.id, type.properties.map { _ in .null }, at: RowID(0))
            }
        }
        guard model.exists(ObjectReference(classID: type.id, rowID: row)) else { return }
        try model.compare(row, in: type, with: transaction, what: "after a mistake")
    }

    private func linkToNothing(_ transaction: WriteTransaction) throws {
        guard let type = randomClass(embedded: nil), let row = randomRow(type),
            let property = type.properties.filter({ $0.type.base == .link && !schema.isOwning($0) })
                .randomElement(using: &generator), let target = property.type.target
        else { return }
        let absent = Value.link(
            ObjectReference(classID: target, rowID: RowID(model.objects(target).nextRowID + 3)))
        try refuse(.danglingLink, "a link to nothing", transaction) {
            switch property.type.container {
            case .single: try transaction.set(property.id, of: row, in: type.id, to: absent)
            case .list: try transaction.edit(property.id, of: row, in: type.id, .append(absent))
            case .set: try transaction.edit(property.id, of: row, in: type.id, .add(absent))
            case .map: try transaction.edit(property.id, of: row, in: type.id, .put("a", absent))
            }
        }
        // The last of several fields is wrong: the first ones must not change either.
        guard let key = type.key else { return }
        var fields = [(property: key, value: model.value(key, of: row, in: type.id))]
        for other in type.properties where other.id != key && !other.mayLink {
            fields.append((other.id, try randomValue(other, transaction)))
        }
        let value: Value =
            switch property.type.container {
            case .single: absent
            case .list: .list([absent])
            case .set: .set([absent])
            case .map: .map(["a": absent])
            }
        fields.append((property.id, value))
        try refuse(.danglingLink, "a put with a link to nothing", transaction) {
            _ = try transaction.put(fields, in: type.id, policy: .upsert)
        }
        try model.compare(row, in: type, with: transaction, what: "after a wrong put")
    }

    /// Gives an embedded object a second parent.
    private func stealEmbedded(_ transaction: WriteTransaction) throws {
        let owners = schema.classes.flatMap { type in
            type.properties.filter { schema.isOwning($0) }.map { (type, $0) }
        }
        guard let (type, property) = owners.randomElement(using: &generator),
            let target = property.type.target.flatMap({ schema[$0] }), let row = randomRow(type),
            let child = randomRow(target)
        else { return }
        let link = Value.link(ObjectReference(classID: target.id, rowID: child))
        let old = model.value(property.id, of: row, in: type.id)
        guard !old.linkTargets.contains(ObjectReference(classID: target.id, rowID: child)) else {
            return
        }
        try refuse(.embeddedParent, "a second parent", transaction) {
            switch property.type.container {
            case .single: try transaction.set(property.id, of: row, in: type.id, to: link)
            case .list: try transaction.edit(property.id, of: row, in: type.id, .insert(0, link))
            default: try transaction.edit(property.id, of: row, in: type.id, .put("a", link))
            }
        }
    }

    private func overflow(_ transaction: WriteTransaction) throws {
        for type in schema.classes {
            for property in type.properties
            where property.type.integerWidth != .bits64 && property.type.container == .single {
                guard let row = randomRow(type) else { continue }
                let range = property.type.integerWidth.range
                try refuse(.invalidValue, "a number out of range", transaction) {
                    try transaction.set(
                        property.id, of: row, in: type.id, to: .int(range.upperBound + 1))
                }
            }
        }
    }
}
