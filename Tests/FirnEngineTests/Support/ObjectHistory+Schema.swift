import FirnCodec
import FirnEngine
import FirnTesting
import FirnValues

/// Random changes of classes, and of all their objects at once.
extension ObjectHistory {
    func changeSchema(_ transaction: WriteTransaction) throws {
        guard let type = randomClass(embedded: nil) else { return }
        switch generator.next() % 11 {
        case 0, 1: try addProperty(type, transaction)
        case 2: try removeProperty(type, transaction)
        case 3: try rename(type, transaction)
        case 4, 5: try retype(type, transaction)
        case 6: try setKey(type, transaction)
        case 7: try changeClasses(type, transaction)
        case 8, 9: try changeIndexes(type, transaction)
        default: try changeInverses(type, transaction)
        }
        model.adopt(transaction.schema)
    }

    private func freshName(_ prefix: String) -> String {
        nameCount += 1
        return "\(prefix)\(nameCount)"
    }

    private func randomDefinition(_ type: ClassSchema?) -> ClassDefinition.Property {
        let container = Generated.pick(
            [.single, .single, .list, .set, .map] as [PropertyType.Container], &generator)
        let base = Generated.pick(Generated.scalarBases + [.link, .link, .any], &generator)
        // Embedded objects only in other classes, so that there is no cycle.
        let isEmbedded =
            type?.isEmbedded == false && container != .set && generator.happens(oneIn: 2)
        let target = base == .link ? randomClass(embedded: isEmbedded)?.name : nil
        return ClassDefinition.Property(
            name: freshName("p"),
            type: PropertyType(
                base == .link && target == nil ? .int : base,
                isOptional: generator.happens(oneIn: 2), container: container),
            targetName: target, isIndexed: generator.happens(oneIn: 3))
    }

    /// Adds an index of one property or of several, or drops one.
    private func changeIndexes(_ type: ClassSchema, _ transaction: WriteTransaction) throws {
        if let index = type.indexes.randomElement(using: &generator), generator.happens(oneIn: 3) {
            note("drop index \(type.name(of: index))")
            return try transaction.removeIndex(index, of: type.id)
        }
        var columns = type.properties.filter(\.canBeIndexed).shuffled(using: &generator)
        if let first = columns.first, first.type.container != .single {
            columns = [first]
        } else {
            columns = Array(
                columns.filter { $0.type.container == .single }
                    .prefix(Int.random(in: 1...3, using: &generator)))
        }
        guard !columns.isEmpty else { return }
        let hasText = columns.contains { $0.type.base == .string }
        let options: IndexSchema.Options =
            hasText && generator.happens(oneIn: 2) ? .caseInsensitive : []
        let definition = ClassDefinition.Index(columns.map(\.name), options: options)
        guard type.index(on: columns.map(\.id), options: options) == nil else {
            return try refuse(.invalidSchema, "an index that exists", transaction) {
                try transaction.addIndex(definition, to: type.id)
            }
        }
        note("index \(type.name) \(definition.propertyNames)")
        try transaction.addIndex(definition, to: type.id)
    }

    private func addProperty(_ type: ClassSchema, _ transaction: WriteTransaction) throws {
        guard type.properties.count < 24 else { return }
        let definition = randomDefinition(type)
        let isRequired =
            definition.type.container == .single && !definition.type.isOptional
            && definition.type.base != .link && definition.type.base != .any
        let hasRows = !model.objects(type.id).rows.isEmpty
        var filling: Value?
        if definition.type.container == .single, ![.link, .any].contains(definition.type.base),
            generator.happens(oneIn: 2)
        {
            filling = Generated.scalar(definition.type, &generator)
        }
        if isRequired, hasRows, filling == nil {
            return try refuse(.missingValue, "a property without filling", transaction) {
                try transaction.addProperty(definition, to: type.id)
            }
        }
        note(
            "add \(type.name).\(definition.name) \(definition.type) filled \(String(describing: filling))"
        )
        let property = try transaction.addProperty(definition, to: type.id, defaultValue: filling)
        for row in model.objects(type.id).rows.keys {
            model.classes[type.id]?.rows[row]?[property.id] =
                filling ?? property.type.emptyCollection
        }
    }

    private func removeProperty(_ type: ClassSchema, _ transaction: WriteTransaction) throws {
        guard type.properties.count > 4,
            let property = type.properties.randomElement(using: &generator)
        else { return }
        note("remove \(type.name).\(property.name)")
        try transaction.removeProperty(property.id, of: type.id)
        if schema.isOwning(property) {
            model.delete(
                model.objects(type.id).rows.values
                    .flatMap { $0[property.id]?.linkTargets ?? [] })
        }
        for row in model.objects(type.id).rows.keys {
            model.classes[type.id]?.rows[row]?[property.id] = nil
        }
    }

    private func rename(_ type: ClassSchema, _ transaction: WriteTransaction) throws {
        note("rename in \(type.name)")
        try transaction.renameClass(type.id, to: freshName("C"))
        guard let property = type.properties.randomElement(using: &generator),
            let other = type.properties.first(where: { $0.id != property.id })
        else { return }
        try transaction.renameProperty(property.id, of: type.id, to: freshName("r"))
        try refuse(.invalidSchema, "a name that is taken", transaction) {
            try transaction.renameProperty(property.id, of: type.id, to: other.name)
        }
    }

    /// Type changes of three kinds: to text, to Any, to a list of the former type.
    private func retype(_ type: ClassSchema, _ transaction: WriteTransaction) throws {
        guard
            let property = type.properties.filter({ property in
                property.type.container == .single && !schema.isOwning(property)
                    && !type.indexes.contains { !$0.isPlain && $0.properties.contains(property.id) }
            }).randomElement(using: &generator)
        else { return }
        let isScalar = !property.mayLink
        let isKey = property.id == type.key
        var new: PropertyType
        let convert: (Value) -> Value
        switch generator.next() % 3 {
        case 0 where isScalar || isKey:
            new = PropertyType(
                .string, isOptional: property.type.isOptional || generator.happens(oneIn: 4))
            convert = { $0.isNull ? .null : .string("\($0)") }
        case 1 where !isKey:
            new = PropertyType(.any, isOptional: true)
            convert = { $0 }
        default:
            guard !isKey else { return }
            new = PropertyType(
                property.type.base, container: .list, target: property.type.target,
                integerWidth: property.type.integerWidth)
            convert = { $0.isNull ? .list([]) : .list([$0]) }
        }
        let definition = ClassDefinition.Property(name: property.name, type: new)
        var remaining = Int.random(in: 0...30, using: &generator)
        if remaining < model.objects(type.id).rows.count, generator.happens(oneIn: 3) {
            let failure = StoreError(.invalidValue, path: "", detail: "cannot be converted")
            return try refuse(.invalidValue, "a conversion that fails halfway", transaction) {
                try transaction.retypeProperty(property.id, of: type.id, to: definition) {
                    value throws(StoreError) in
                    remaining -= 1
                    if remaining < 0 { throw failure }
                    return convert(value)
                }
            }
        }
        note("retype \(type.name).\(property.name) to \(new)")
        try transaction.retypeProperty(property.id, of: type.id, to: definition) { convert($0) }
        guard let made = transaction.schema[type.id]?.propertyNamed(property.name),
            transaction.schema[type.id]?.index(of: made.id) == type.index(of: property.id),
            (transaction.schema[type.id]?.key == made.id) == isKey
        else { throw TestFailure("the retyped property is not where it was") }
        for (row, values) in model.objects(type.id).rows {
            model.classes[type.id]?.rows[row]?[property.id] = nil
            model.classes[type.id]?.rows[row]?[made.id] = convert(values[property.id] ?? .null)
        }
    }

    private func setKey(_ type: ClassSchema, _ transaction: WriteTransaction) throws {
        guard !type.isEmbedded else { return }
        let candidates = type.properties.filter { property in
            property.type.container == .single
                && [.int, .string, .uuid, .objectID].contains(property.type.base)
                && property.type.integerWidth == .bits64
        }
        guard let key = candidates.randomElement(using: &generator) else { return }
        if generator.happens(oneIn: 3) {
            note("no key of \(type.name)")
            return try transaction.setKey(nil, of: type.id)
        }
        let values = model.objects(type.id).rows.values.map { $0[key.id] ?? .null }
        guard Set(values).count == values.count || key.id == type.key else {
            return try refuse(.duplicateKey, "a key with values twice", transaction) {
                try transaction.setKey(key.id, of: type.id)
            }
        }
        note("key of \(type.name): \(key.name)")
        try transaction.setKey(key.id, of: type.id)
    }

    private func changeClasses(_ type: ClassSchema, _ transaction: WriteTransaction) throws {
        let isLinked = schema.incoming(to: type.id).contains { $0.source.id != type.id }
        if isLinked {
            try refuse(.invalidSchema, "removing a class with links to it", transaction) {
                try transaction.removeClass(type.id)
            }
        } else if schema.classes.count > 5 {
            note("remove class \(type.name)")
            try transaction.removeClass(type.id)
            model.delete(
                model.objects(type.id).rows.keys.map {
                    ObjectReference(classID: type.id, rowID: $0)
                })
            model.adopt(transaction.schema)
        }
        guard schema.classes.count < 10 else { return }
        let isKeyed = generator.happens(oneIn: 2)
        var properties = [ClassDefinition.Property(name: "id", type: PropertyType(.objectID))]
        for index in 0..<3 {
            let property = randomDefinition(nil)
            properties.append(
                ClassDefinition.Property(
                    name: "n\(index)", type: property.type, targetName: property.targetName))
        }
        let name = freshName("N")
        note("add class \(name)")
        try refuse(.invalidSchema, "a class with a wrong key", transaction) {
            try transaction.addClasses([
                ClassDefinition(name: name, properties: properties),
                ClassDefinition(name: name + "x", properties: properties, keyName: "absent"),
            ])
        }
        try transaction.addClass(
            ClassDefinition(name: name, properties: properties, keyName: isKeyed ? "id" : nil))
    }

    private func changeInverses(_ type: ClassSchema, _ transaction: WriteTransaction) throws {
        if let inverse = type.inverses.randomElement(using: &generator) {
            return try transaction.removeInverse(inverse.name, of: type.id)
        }
        guard let link = schema.incoming(to: type.id).randomElement(using: &generator) else {
            return
        }
        try transaction.addInverse(
            .init(
                name: freshName("inverse"), sourceClassName: link.source.name,
                sourcePropertyName: link.property.name), to: type.id)
    }

    // MARK: All objects at once

    func fill(_ transaction: WriteTransaction) throws {
        guard let type = randomClass(embedded: nil),
            let property = type.properties.filter({ property in
                property.type.container == .single && !schema.isOwning(property)
                    && property.type.base != .any && property.id != type.key
            }).randomElement(using: &generator)
        else { return }
        var filled: [RowID: Value] = [:]
        var failsAfter = generator.happens(oneIn: 3) ? Int(generator.next() % 3) : .max
        let failure = StoreError(.invalidValue, path: "", detail: "cannot be filled")
        var hasFailed = false
        do throws(StoreError) {
            try transaction.fill(property.id, of: type.id) { view throws(StoreError) in
                failsAfter -= 1
                if failsAfter < 0 {
                    hasFailed = true
                    throw failure
                }
                var values: [Value] = []
                for row in 0..<view.rowCount {
                    let value =
                        property.type.base == .link
                        ? property.type.target.map { self.randomLink(to: $0) } ?? .null
                        : Generated.scalar(property.type, &self.generator)
                    values.append(value)
                    filled[try view.rowID(at: row)] = value
                }
                return values
            }
        } catch {
            guard hasFailed else { throw error }
            return note("fill failed")
        }
        note("fill \(type.name).\(property.name)")
        for row in model.objects(type.id).rows.keys {
            guard let value = filled[row] else { throw TestFailure("a row was not filled") }
            model.classes[type.id]?.rows[row]?[property.id] = value
        }
    }

    func load(_ transaction: WriteTransaction) throws {
        guard let type = randomClass(),
            model.objects(type.id).rows.count <= population
        else { return }
        let count = Int.random(in: 0...20, using: &generator)
        let loader = try transaction.bulkLoader(for: type.id)
        note("load \(count) into \(type.name)")
        let first = model.objects(type.id).nextRowID
        let isAscending = generator.happens(oneIn: 2)
        var used: Set<Value> = []
        for number in 0..<count {
            var values: [Value] = []
            for (property, column) in zip(type.properties, loader.columns) {
                var value = Value.null
                if property.id == type.key {
                    repeat {
                        nextKey += 1
                        value =
                            isAscending
                            ? Generated.key(property.type.base, nextKey + 5000)
                            : Generated.key(of: property, &generator)
                    } while !used.insert(value).inserted
                        || model.row(forKey: value, in: type) != nil
                    try column.append(value)
                } else if property.type.container == .single {
                    if !property.mayLink { value = Generated.scalar(property.type, &generator) }
                    try column.append(value)
                }
                values.append(value)
            }
            try loader.endRow()
            model.create(values, at: RowID(first + UInt64(number)), in: type)
        }
        try loader.finish()
    }
}
